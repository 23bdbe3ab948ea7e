package naive_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// poisonGen writes programs on numbers some of which are poison, which goes through branches, loops and calls.
type poisonGen struct {
	r     *rand.Rand
	lines []string
	names int
	bits  []string // the values in sight, of type i1, and of type i8
	bytes []string
	depth int
}

func (g *poisonGen) line(format string, args ...any) {
	g.lines = append(g.lines, fmt.Sprintf(format, args...))
}

func (g *poisonGen) name() string {
	g.names++
	return fmt.Sprintf("%%v%d", g.names)
}

func (g *poisonGen) byte() string { return g.bytes[g.r.IntN(len(g.bytes))] }
func (g *poisonGen) bit() string  { return g.bits[g.r.IntN(len(g.bits))] }

func (g *poisonGen) pick(words string) string {
	list := strings.Fields(words)
	return list[g.r.IntN(len(list))]
}

// inner writes statements whose values are seen only there.
func (g *poisonGen) inner(n int) {
	bits, bytes := len(g.bits), len(g.bytes)
	g.depth++
	g.statements(n)
	g.depth--
	g.line("scf.yield %s, %s : i8, i1", g.byte(), g.bit())
	g.bits, g.bytes = g.bits[:bits:bits], g.bytes[:bytes:bytes]
}

func (g *poisonGen) statements(n int) {
	for range n {
		to := g.name()
		switch k := g.r.IntN(14); {
		case k < 5:
			flags := g.pick("nsw nuw none")
			g.line("%s = arith.%s %s, %s overflow<%s> : i8", to, g.pick("addi subi muli shli"), g.byte(), g.byte(), flags)
		case k == 5:
			g.line("%s = arith.select %s, %s, %s : i8", to, g.bit(), g.byte(), g.byte())
		case k == 6:
			g.line("%s = ub.poison : i8", to)
		case k == 8:
			g.line("%s = arith.%s %s, %%k3 : i8", to, g.pick("divsi divui remsi remui floordivsi"), g.byte())
		case k == 7:
			g.line("%s = func.call @g(%s, %s) : (i8, i1) -> i8", to, g.byte(), g.bit())
		case k == 9 && g.depth < 2:
			g.line("%s, %sb = scf.if %s -> (i8, i1) {", to, to, g.bit())
			g.inner(1 + g.r.IntN(2))
			g.line("} else {")
			g.inner(1 + g.r.IntN(2))
			g.line("}")
			g.bits = append(g.bits, to+"b")
		case k == 10 && g.depth < 2:
			g.line("%s, %sb = scf.for %si = %%c0 to %%c2 step %%c1 iter_args(%sx = %s, %sy = %s) -> (i8, i1) {", to, to, to, to, g.byte(), to, g.bit())
			bits, bytes := len(g.bits), len(g.bytes)
			g.bits, g.bytes = append(g.bits, to+"y"), append(g.bytes, to+"x")
			g.inner(1 + g.r.IntN(2))
			g.bits, g.bytes = g.bits[:bits:bits], g.bytes[:bytes:bytes]
			g.line("}")
			g.bits = append(g.bits, to+"b")
		default:
			g.line("%s = arith.cmpi %s, %s, %s : i8", to, g.pick("eq slt ult sge"), g.byte(), g.byte())
			g.bits = append(g.bits, to)
			continue
		}
		g.bytes = append(g.bytes, to)
	}
}

// poisonProgram returns a program of the given number of blocks, each of which goes to a later one.
func poisonProgram(r *rand.Rand, blocks int) program {
	g := &poisonGen{r: r}
	g.line("func.func private @g(%%x: i8, %%c: i1) -> i8 {\n%%y = arith.addi %%x, %%x overflow<nsw> : i8\n%%r = arith.select %%c, %%x, %%y : i8\nreturn %%r : i8\n}")
	g.line("func.func @f(%%a: i8, %%b: i8, %%c: i1) -> (i8, i1) {")
	for i := range 3 {
		g.line("%%c%d = arith.constant %d : index", i, i)
	}
	g.line("%%k3 = arith.constant 3 : i8")
	bits, bytes := []string{"%c"}, []string{"%a", "%b"}
	for b := range blocks {
		g.bits, g.bytes = append([]string(nil), bits...), append([]string(nil), bytes...)
		if b > 0 {
			g.line("^b%d(%%x%d: i8, %%y%d: i1):", b, b, b)
			g.bits, g.bytes = append(g.bits, fmt.Sprintf("%%y%d", b)), append(g.bytes, fmt.Sprintf("%%x%d", b))
		}
		g.statements(1 + r.IntN(4))
		to := func() string {
			return fmt.Sprintf("^b%d(%s, %s : i8, i1)", b+1+r.IntN(blocks-b-1), g.byte(), g.bit())
		}
		switch {
		case b == blocks-1:
			g.line("return %s, %s : i8, i1", g.byte(), g.bit())
		case r.IntN(2) == 0:
			g.line("cf.br %s", to())
		default:
			g.line("cf.cond_br %s, %s, %s", g.bit(), to(), to())
		}
	}
	g.line("}")
	return program{"poison", strings.Join(g.lines, "\n")}
}

// poisonVectors returns a program on vectors, or, without poison, on tensors, some of whose elements become poison.
func poisonVectors(r *rand.Rand) program {
	g := &poisonGen{r: r}
	shape := g.pick("vector<3x vector<3x vector<2x2x tensor<3x")
	elem := g.pick("i8 i100 f32 f80 index i1")
	typ, bit := shape+elem+">", shape+"i1>"
	float := elem[0] == 'f'
	flags := []string{" overflow<nsw>", " overflow<nuw>", ""}
	if float {
		flags = []string{" fastmath<nnan>", " fastmath<ninf>", " fastmath<nnan,ninf>", ""}
	}
	ops := "addi muli subi shli"
	if shape[0] == 't' {
		flags, ops = []string{""}, "addi muli subi xori" // of tensors, no element is poison
	}
	g.line("func.func @f(%%a: %s, %%b: %s, %%c: %s, %%d: i1) -> (%s, %s) {", typ, typ, bit, typ, bit)
	values, masks := []string{"%a", "%b"}, []string{"%c"}
	value := func() string { return values[r.IntN(len(values))] }
	mask := func() string { return masks[r.IntN(len(masks))] }
	for range 1 + r.IntN(6) {
		to := g.name()
		switch k := r.IntN(8); {
		case k == 0:
			g.line("%s = arith.select %s, %s, %s : %s, %s", to, mask(), value(), value(), bit, typ)
		case k == 1:
			g.line("%s = arith.select %%d, %s, %s : %s", to, value(), value(), typ)
		case k == 2 && float:
			g.line("%s = arith.cmpf olt, %s, %s : %s", to, value(), value(), typ)
			masks = append(masks, to)
			continue
		case k == 2:
			g.line("%s = arith.cmpi slt, %s, %s : %s", to, value(), value(), typ)
			masks = append(masks, to)
			continue
		case k == 3 && !float && elem != "index":
			g.line("%s, %sc = arith.addui_extended %s, %s : %s, %s", to, to, value(), value(), typ, bit)
			masks = append(masks, to+"c")
		case k == 4 && float:
			g.line("%s = arith.negf %s%s : %s", to, value(), flags[r.IntN(len(flags))], typ)
		case k == 5 && shape[0] == 'v':
			g.line("%s = ub.poison : %s", to, typ)
		case float:
			g.line("%s = arith.%s %s, %s%s : %s", to, g.pick("addf mulf divf subf"), value(), value(), flags[r.IntN(len(flags))], typ)
		default:
			g.line("%s = arith.%s %s, %s%s : %s", to, g.pick(ops), value(), value(), flags[r.IntN(len(flags))], typ)
		}
		values = append(values, to)
	}
	g.line("return %s, %s : %s, %s\n}", values[len(values)-1], mask(), typ, bit)
	return program{"poison in " + typ, strings.Join(g.lines, "\n")}
}

// Both engines agree about which elements are poison.
func TestPoisonVectors(t *testing.T) {
	var list []program
	for seed := range uint64(1200) {
		list = append(list, poisonVectors(rand.New(rand.NewPCG(seed, 101))))
	}
	compareAll(t, list, 6)
}

// Both engines agree about where poison goes, and where it is a mistake.
func TestPoisonPrograms(t *testing.T) {
	var list []program
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 61))
		list = append(list, poisonProgram(r, 1+r.IntN(4)))
	}
	compareAll(t, list, 6)
}
