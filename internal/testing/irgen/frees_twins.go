package irgen

import "strings"

// opposite has, for each predicate, the one that says no where it says yes, and turned the one that says the same of
// operands that are exchanged.
var (
	opposite = map[string]string{"eq": "ne", "ne": "eq", "slt": "sge", "sge": "slt", "sgt": "sle", "sle": "sgt", "ult": "uge", "uge": "ult", "ugt": "ule", "ule": "ugt"}
	turned   = map[string]string{"eq": "eq", "ne": "ne", "slt": "sgt", "sgt": "slt", "sle": "sge", "sge": "sle", "ult": "ugt", "ugt": "ult", "ule": "uge", "uge": "ule"}
)

// twins frees a new buffer under two conditions on the same operands. That is right if just one of them holds, whatever
// the operands are: often they are chosen so, and written in two ways.
func (g *freeGen) twins() {
	m := g.fresh()
	g.line("%s = memref.alloc() : %s", m, buffer)
	typ, a, b := "index", g.number(), g.number()
	switch g.choose(4) {
	case 0:
		typ, a, b = "i1", g.truth(), g.truth()
	case 1:
		// The size of a buffer, or a difference, beside a number.
		if n := g.fresh(); g.flip() {
			g.line("%s = memref.dim %s, %%c0 : %s", n, g.buffer(), buffer)
			a = n
		} else {
			g.line("%s = arith.%s %s, %s : index", n, pick(&g.writer, strings.Fields("addi subi muli maxsi minui")), a, b)
			b = n
		}
	}
	p := pick(&g.writer, strings.Fields("eq ne slt sle sgt sge ult ule ugt uge"))
	q := opposite[p]
	if g.choose(4) == 0 {
		q = pick(&g.writer, strings.Fields("eq ne slt sle sgt sge ult ule ugt uge"))
	}
	x, y := a, b
	if g.flip() {
		q, x, y = turned[q], b, a
	}
	free := func(p, a, b string) {
		c := g.fresh()
		g.line("%s = arith.cmpi %s, %s, %s : %s", c, p, a, b, typ)
		switch g.choose(3) {
		case 0:
			g.line("func.call @freeIf(%s, %s) : (%s, i1) -> ()", m, c, buffer)
		case 1:
			g.line("bufferization.dealloc (%s : %s) if (%s)", m, buffer, c)
		default:
			g.line("scf.if %s {", c)
			g.line("  memref.dealloc %s : %s", m, buffer)
			g.line("}")
		}
	}
	free(p, a, b)
	if g.choose(6) == 0 {
		g.statements(1)
	}
	free(q, x, y)
}
