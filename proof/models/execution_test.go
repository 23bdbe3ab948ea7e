package models_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/dialect"
	funcd "freehold/dialect/funcd"
	"freehold/exec/interp"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/proof/kernel"
	"freehold/proof/models"
)

// program is a random function in one block. Its arguments are booleans, and so are its results: all that it computed.
type program struct {
	*rand.Rand
	lines, booleans, numbers, flags, cells, buffers []string
}

const arguments = 3

func (p *program) add(list *[]string, format string, args ...any) {
	name := fmt.Sprintf("%%v%d", len(p.lines))
	p.lines = append(p.lines, "  "+name+" = "+fmt.Sprintf(format, args...))
	*list = append(*list, name)
}

func (p *program) pick(list []string) string { return list[p.IntN(len(list))] }

func (p *program) do(format string, args ...any) {
	p.lines = append(p.lines, "  "+fmt.Sprintf(format, args...))
}

var predicates = strings.Fields("eq ne slt sle sgt sge ult ule ugt uge")

var booleanOps = strings.Fields("andi ori xori addi subi muli maxsi maxui minsi minui")

// step adds an operation.
func (p *program) step() {
	at := func() string { return fmt.Sprintf("%%c%d", p.IntN(2)) }
	switch p.IntN(16) {
	case 0:
		p.add(&p.booleans, "arith.%s %s, %s : i1", p.pick(booleanOps), p.pick(p.booleans), p.pick(p.booleans))
	case 1:
		p.add(&p.booleans, "arith.cmpi %s, %s, %s : i1", p.pick(predicates), p.pick(p.booleans), p.pick(p.booleans))
	case 2, 3:
		p.add(&p.booleans, "arith.cmpi %s, %s, %s : index", p.pick(predicates), p.pick(p.numbers), p.pick(p.numbers))
	case 4:
		p.add(&p.booleans, "arith.select %s, %s, %s : i1", p.pick(p.booleans), p.pick(p.booleans), p.pick(p.booleans))
	case 5:
		p.add(&p.numbers, "arith.select %s, %s, %s : index", p.pick(p.booleans), p.pick(p.numbers), p.pick(p.numbers))
	case 6:
		p.add(&p.numbers, "arith.%s %s, %s : index", p.pick([]string{"addi", "subi", "maxsi", "minui", "xori"}), p.pick(p.numbers), p.pick(p.numbers))
	case 7:
		p.add(&p.flags, "memref.%s : memref<2xi1>", p.pick([]string{"alloc()", "alloca()"}))
		p.do("linalg.fill ins(%s : i1) outs(%s : memref<2xi1>)", p.pick(p.booleans), p.flags[len(p.flags)-1])
	case 8:
		p.add(&p.cells, "memref.alloc() : memref<2xindex>")
		p.do("linalg.fill ins(%s : index) outs(%s : memref<2xindex>)", p.pick(p.numbers), p.cells[len(p.cells)-1])
	case 9:
		p.do("memref.store %s, %s[%s] : memref<2xi1>", p.pick(p.booleans), p.pick(p.flags), at())
	case 10:
		p.do("memref.store %s, %s[%s] : memref<2xindex>", p.pick(p.numbers), p.pick(p.cells), at())
	case 11:
		p.add(&p.booleans, "memref.load %s[%s] : memref<2xi1>", p.pick(p.flags), at())
	case 12:
		p.add(&p.numbers, "memref.load %s[%s] : memref<2xindex>", p.pick(p.cells), at())
	case 13:
		p.do("memref.copy %s, %s : memref<2xi1> to memref<2xi1>", p.pick(p.flags), p.pick(p.flags))
	case 14:
		p.add(&p.flags, "arith.select %s, %s, %s : memref<2xi1>", p.pick(p.booleans), p.pick(p.flags), p.pick(p.flags))
	case 15:
		a, b := p.pick(p.flags), p.pick(p.flags)
		p.add(&p.buffers, "memref.extract_aligned_pointer_as_index %s : memref<2xi1> -> index", a)
		p.add(&p.buffers, "memref.extract_aligned_pointer_as_index %s : memref<2xi1> -> index", b)
		p.add(&p.booleans, "arith.cmpi %s, %s, %s : index", p.pick(predicates[:2]), p.buffers[len(p.buffers)-2], p.buffers[len(p.buffers)-1])
	}
}

func (p *program) text() string {
	var b strings.Builder
	b.WriteString("func.func @f(%a0: i1, %a1: i1, %a2: i1) -> (" + strings.Repeat("i1, ", len(p.booleans)-1) + "i1) {\n")
	b.WriteString("  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %m = arith.constant -3 : index\n  %t = arith.constant true\n")
	b.WriteString(strings.Join(p.lines, "\n") + "\n")
	fmt.Fprintf(&b, "  return %s : %si1\n}\n", strings.Join(p.booleans, ", "), strings.Repeat("i1, ", len(p.booleans)-1))
	return b.String()
}

func random(seed uint64) string {
	p := &program{Rand: rand.New(rand.NewPCG(seed, 1)), booleans: []string{"%a0", "%a1", "%a2", "%t"}, numbers: []string{"%c0", "%c1", "%m"}}
	p.add(&p.flags, "memref.alloc() : memref<2xi1>")
	p.do("linalg.fill ins(%%t : i1) outs(%s : memref<2xi1>)", p.flags[0])
	p.add(&p.cells, "memref.alloc() : memref<2xindex>")
	p.do("linalg.fill ins(%%m : index) outs(%s : memref<2xindex>)", p.cells[0])
	for range 40 {
		p.step()
	}
	return p.text()
}

// symbolically executes a function of one block, and returns what is known about its arguments and results.
func symbolically(t *testing.T, fn *ir.Op) (m *kernel.Machine, args, results []kernel.Value) {
	m = kernel.NewMachine(kernel.NewFormulas(), &models.Dialects)
	m.Demand = func(_ *kernel.Frame, op *ir.Op, d kernel.Demand, _ int, bad kernel.Lit) {
		if bad != kernel.No {
			t.Errorf("%v: %s", op.Loc(), d)
		}
	}
	m.Unknown = func(_ *kernel.Frame, x *ir.Value) kernel.Value {
		t.Errorf("nothing is known about %v", x.Loc())
		return kernel.Value{}
	}
	m.Regions = func(*kernel.Frame, *ir.Op) {} // on elements
	fr := &kernel.Frame{Fn: fn, Values: map[*ir.Value]kernel.Value{}, Cond: kernel.Yes, Base: kernel.Yes}
	body := funcd.Body(fn).Entry()
	for _, x := range body.Args() {
		m.Assign(fr, x, m.Anything(fr, x))
		args = append(args, m.Get(fr, x))
	}
	last := body.Terminator()
	for op := body.First(); op != last; op = op.Next() {
		if !m.Apply(fr, op) {
			m.Access(fr, op)
		}
	}
	if m.Err != nil {
		t.Error(m.Err)
	}
	return m, args, m.GetAll(fr, last.Operands())
}

// What execution computes, the formulas of symbolic execution allow; and they allow little else.
func TestModelsAgreeWithExecution(t *testing.T) {
	ctx := ir.NewContext(dialect.All()...)
	exact, all := 0, 0
	for seed := range uint64(150) {
		src := random(seed)
		module, err := asm.Parse(ctx, []byte(src), "f.mlir", asm.ParseOptions{})
		if err != nil || ir.Verify(module) != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		fn := module.BodyBlock(0).First()
		m, args, results := symbolically(t, fn)
		for bits := range 1 << arguments {
			given, path := make([]interp.Value, arguments), kernel.Yes
			for i := range arguments {
				holds := bits>>i&1 != 0
				given[i], err = interp.Parse(ctx, fmt.Sprint(holds), ir.I1, nil)
				if err != nil {
					t.Fatal(err)
				}
				path = m.F.And(path, m.F.Iff(args[i].Truth, kernel.LitOf(holds)))
			}
			run, err := interp.Run(module, fn, given, interp.Options{})
			if err != nil || run.Stopped() != nil {
				t.Fatalf("%v %v\n%s", err, run.Stopped(), src)
			}
			for i, x := range results {
				holds := run.Values[i].Word != 0
				differs := m.F.Iff(x.Truth, kernel.LitOf(holds)).Not()
				if all++; m.F.Refutes(m.F.Len(), m.F.And(path, differs), nil) {
					exact++
				}
				if m.F.Refutes(m.F.Len(), m.F.And(path, differs.Not()), nil) {
					t.Fatalf("result %d is %t for arguments %03b, which can't be\n%s", i, holds, bits, src)
				}
			}
		}
	}
	t.Logf("%d of %d results are known", exact, all)
	if exact < all*8/10 {
		t.Errorf("only %d of %d results are known", exact, all)
	}
}
