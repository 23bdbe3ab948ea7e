package irgen

import "fmt"

// rareGen writes private functions that are never called.
type rareGen struct {
	writer
	fns int
}

// Rare returns a module whose function @main does nothing. Beside it there are functions
// that nobody calls, of what the other kinds of programs have not: what passes refuse,
// or leave alone, or can't be executed. Only what passes make of them can be judged.
func Rare(choose Chooser, size int) string {
	g := &rareGen{writer: writer{choose: choose}}
	g.line("func.func @main() {")
	g.line("  return")
	g.line("}")
	refused := [][]func(){g.tensorPieces(), g.branchPieces(), g.spacePieces(), g.freePieces(), g.deallocPieces(), g.divisionPieces()}
	accepted := [][]func(){g.accessPieces(), g.deallocPieces(), g.viewPieces(), g.affinePieces(), g.loopPieces(), g.callPieces(), g.slicePieces()}
	// What is refused in one function hides what happens to the others.
	if choose(5) < 2 {
		pick(&g.writer, pick(&g.writer, refused))()
	} else {
		for range 4 + choose(1+size/3) {
			pick(&g.writer, pick(&g.writer, accepted))()
		}
	}
	return g.text.String()
}

// fn writes a function whose body is written by the function that is given.
func (g *rareGen) fn(params, results string, body func()) string {
	g.fns++
	name := fmt.Sprintf("@f%d", g.fns)
	if results != "" {
		results = " -> (" + results + ")"
	}
	g.line("func.func private %s(%s)%s {", name, params, results)
	g.indent++
	body()
	g.indent--
	g.line("}")
	return name
}

// declare writes a function without a body.
func (g *rareGen) declare(params, results string) string {
	g.fns++
	name := fmt.Sprintf("@f%d", g.fns)
	g.line("func.func private %s(%s) -> (%s)", name, params, results)
	return name
}

// let writes an operation with one result, whose name it returns.
func (g *rareGen) let(format string, args ...any) string {
	v := g.fresh()
	g.line("%s = %s", v, fmt.Sprintf(format, args...))
	return v
}

func (g *rareGen) one(of ...string) string { return pick(&g.writer, of) }

// some returns one of a few texts, or nothing, which is as likely as all of them.
func (g *rareGen) some(of ...string) string {
	if g.flip() {
		return ""
	}
	return pick(&g.writer, of)
}

func (g *rareGen) constant(n int) string { return g.let("arith.constant %d : index", n) }

// change writes an operation that overwrites a tensor.
func (g *rareGen) change(tensor, typ string) string {
	x := g.let("arith.constant %s : f32", literal("f32", g.choose(5)))
	return g.let("linalg.fill ins(%s : f32) outs(%s : %s) -> %s", x, tensor, typ, typ)
}

// maybeChange is change, or nothing.
func (g *rareGen) maybeChange(tensor, typ string) string {
	if g.flip() {
		return g.change(tensor, typ)
	}
	return tensor
}
