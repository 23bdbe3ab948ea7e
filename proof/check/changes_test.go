package check_test

import (
	"math/rand/v2"
	"testing"

	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/internal/testing/irgen"
	"freehold/ir"
)

// change changes anything in a program, and returns what: an operand is another value of its type, a number another
// number, a comparison another one; an operation is done twice, elsewhere, or not at all; a branch goes elsewhere. The
// program need not be valid afterwards.
func change(m *ir.Op, r *rand.Rand) string {
	var ops []*ir.Op
	values := map[ir.Type][]*ir.Value{}
	m.Walk(func(op *ir.Op) bool {
		if op != m && op.Parent() != m {
			ops = append(ops, op)
		}
		for _, v := range op.Results().Values() {
			values[v.Type()] = append(values[v.Type()], v)
		}
		for _, g := range op.Regions() {
			for b := range g.Blocks() {
				for _, a := range b.Args() {
					values[a.Type()] = append(values[a.Type()], a)
				}
			}
		}
		return true
	})
	if len(ops) == 0 {
		return ""
	}
	dom, build := ir.NewDominance(), ir.NewBuilder(m.Context())
	for range 20 {
		op := ops[r.IntN(len(ops))]
		switch r.IntN(8) {
		case 0, 1, 2:
			if op.NumOperands() == 0 {
				continue
			}
			i := r.IntN(op.NumOperands())
			others := values[op.Operand(i).Type()]
			if v := others[r.IntN(len(others))]; v != op.Operand(i) && dom.ValueDominates(v, op) {
				op.SetOperand(i, v)
				return op.Name() + " has another operand"
			}
		case 3:
			if a, ok := op.Attr("value").(*ir.IntegerAttr); ok && op.Is(arith.Constant) {
				op.SetAttr("value", m.Context().IntegerAttr(a.Type, a.Value^int64(1+r.IntN(3))))
				return "another constant"
			}
		case 4:
			if p, ok := op.Attr("predicate").(*ir.IntegerAttr); ok && op.Is(arith.CmpI) {
				op.SetAttr("predicate", m.Context().IntegerAttr(p.Type, (p.Value+1+int64(r.IntN(9)))%10))
				return "another comparison"
			}
		case 5:
			if op.NumResults() == 0 && !op.Has(ir.TraitTerminator) {
				name := op.Name()
				op.Erase()
				return name + " is gone"
			}
		case 6:
			if op.NumResults() == 0 && op.NumRegions() == 0 && !op.Has(ir.TraitTerminator) || op.Is(memref.Alloc) {
				build.SetAfter(op)
				build.Clone(op, ir.NewMapping())
				return op.Name() + " twice"
			}
		default:
			if op.NumResults() > 0 || op.Has(ir.TraitTerminator) {
				continue
			}
			if to := place(op, r, op.Operands().Values()...); to != nil {
				op.MoveBefore(to)
				return op.Name() + " is elsewhere"
			}
		}
	}
	return ""
}

// changeable returns a random program to be changed.
func changeable(t *testing.T, r *rand.Rand) *ir.Op {
	switch r.IntN(5) {
	case 0:
		return load([]byte(irgen.Arenas(r.IntN, 1+r.IntN(10))))
	case 1:
		src, _ := owned(t, r)
		return load(src)
	case 2:
		src, _ := owned(t, r)
		return transformed(t, load(src), "hlo-convert-deallocation-ops-to-llvm")
	case 3:
		m := load([]byte(irgen.Buffers(r.IntN, irgen.BufferKnobs{Size: 6 + r.IntN(20)})))
		return transformed(t, m, pipelines[r.IntN(len(pipelines))])
	}
	return load([]byte(someFrees(r)))
}

// Whatever is changed in programs that free, none is called safe that goes wrong when it is executed, and what is called
// safe has a certificate that holds, or none.
func TestChangedProgramsAnywhere(t *testing.T) {
	wrong, right, safe, shown := 0, 0, 0, 0
	for seed := range seeds(4 * *programs) {
		r := rand.New(rand.NewPCG(seed, 53))
		m := changeable(t, r)
		if m == nil {
			continue
		}
		what := ""
		for range 1 + r.IntN(3) {
			what += " " + change(m, r)
		}
		if ir.Verify(m) != nil {
			continue
		}
		if m = load([]byte(text(m))); m == nil {
			continue
		}
		found := refutedAnywhere(m)
		v := verdict(m)
		switch {
		case found != nil && v == "safe":
			t.Errorf("program %d,%s: called safe, but %v\n%s", seed, what, found.Diagnostic, text(m))
		case found != nil:
			wrong++
			if v == "unsafe" {
				shown++
			}
		default:
			right++
			if v == "safe" {
				safe++
				certify(t, m)
			}
		}
	}
	t.Logf("%d of %d programs proved that don't go wrong, %d of %d shown that do", safe, right, shown, wrong)
	if wrong == 0 || safe == 0 {
		t.Error("no program was broken, or all")
	}
}
