package check_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"freehold/dialect/arith"
	"freehold/dialect/deallocation"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/exec"
	"freehold/internal/testing/irgen"
	"freehold/ir"
)

// owned returns a random program that frees by owners.
func owned(tb testing.TB, r *rand.Rand) (src []byte, pipeline string) {
	for {
		pipeline = ownerStages[r.IntN(len(ownerStages))]
		var m *ir.Op
		if r.IntN(2) == 0 {
			m = load([]byte(irgen.Buffers(r.IntN, irgen.BufferKnobs{Size: 6 + r.IntN(20)})))
		} else {
			m = transformed(tb, load([]byte(irgen.Tensors(r.IntN, 4+r.IntN(12)))), beforeOwners)
		}
		if m != nil {
			if m = transformed(tb, m, pipeline); m != nil {
				return []byte(text(m)), pipeline
			}
		}
	}
}

// What the passes of MLIR-HLO make is proved, and the proof has a certificate.
func TestOwnersAreSafe(t *testing.T) {
	all, open := 0, 0
	var s shares
	for seed := range seeds(*programs) {
		src, pipeline := owned(t, rand.New(rand.NewPCG(seed, 11)))
		m := load(src)
		all++
		switch v := verdict(m); v {
		case "unsafe":
			t.Errorf("program %d, %s: %s\n%s", seed, pipeline, v, src)
		case "not judged":
			t.Logf("program %d after %s is not judged", seed, pipeline)
			open++
		default:
			s.add(certify(t, m))
		}
	}
	if 20*open > all {
		t.Errorf("%d of %d programs are not judged", open, all)
	}
	s.atLeast(t, 90)
}

// misown breaks a program with owners in a random place: it lets an operation have another
// owner, buffer, address or condition, or do its work twice or not at all, or elsewhere. It
// returns what it did, or nothing.
func misown(m *ir.Op, r *rand.Rand) string {
	type use struct {
		op *ir.Op
		i  int
	}
	var uses []use
	var frees, compares []*ir.Op
	values := map[ir.Type][]*ir.Value{}
	m.Walk(func(op *ir.Op) bool {
		for i := range op.NumOperands() {
			t := op.Operand(i).Type()
			memory := op.Is(deallocation.Own) || op.Is(deallocation.GetBuffer) || op.Is(deallocation.Retain) || op.Is(memref.Dealloc) || op.Has(ir.TraitTerminator)
			if deallocation.IsOwnership(t) || memory && ir.IsMemRef(t) || op.Is(arith.CmpI) && t == ir.Type(ir.Index) {
				uses = append(uses, use{op, i})
			}
		}
		for i := range op.NumResults() {
			values[op.Result(i).Type()] = append(values[op.Result(i).Type()], op.Result(i))
		}
		for _, g := range op.Regions() {
			for b := range g.Blocks() {
				for _, a := range b.Args() {
					values[a.Type()] = append(values[a.Type()], a)
				}
			}
		}
		switch {
		case op.Is(deallocation.Free) || op.Is(memref.Dealloc) || op.Is(deallocation.Retain) && op.NumResults() == 0 || op.Is(scf.If) && op.NumResults() == 0:
			frees = append(frees, op)
		case op.Is(arith.CmpI):
			compares = append(compares, op)
		}
		return true
	})
	dom := ir.NewDominance()
	build := ir.NewBuilder(m.Context())
	switch k := r.IntN(8); {
	case k < 4 && len(uses) > 0:
		at := uses[r.IntN(len(uses))]
		old := at.op.Operand(at.i)
		build.SetBefore(at.op)
		if deallocation.IsOwnership(old.Type()) && r.IntN(4) == 0 {
			at.op.SetOperand(at.i, deallocation.NewNull(build))
			return fmt.Sprintf("%s: operand %d is null", at.op.Name(), at.i)
		}
		var others []*ir.Value
		for _, v := range values[old.Type()] {
			if v != old && dom.ValueDominates(v, at.op) {
				others = append(others, v)
			}
		}
		if len(others) > 0 {
			at.op.SetOperand(at.i, others[r.IntN(len(others))])
			return fmt.Sprintf("%s: another operand %d", at.op.Name(), at.i)
		}
	case k == 4 && len(compares) > 0:
		op := compares[r.IntN(len(compares))]
		p := op.Attr("predicate").(*ir.IntegerAttr)
		op.SetAttr("predicate", op.Context().IntegerAttr(p.Type, p.Value^1))
		return "a comparison is negated"
	case len(frees) > 0:
		op := frees[r.IntN(len(frees))]
		switch k {
		case 5:
			name := op.Name()
			op.Erase()
			return name + " is gone"
		case 6:
			build.SetAfter(op)
			build.Clone(op, ir.NewMapping())
			return op.Name() + " twice"
		default:
			to := place(op, r, op.Operands().Values()...)
			if to == nil {
				return ""
			}
			op.MoveBefore(to)
			return op.Name() + " is elsewhere"
		}
	}
	return ""
}

// A program in which something about owners was changed is not called safe if an execution
// shows that it isn't, and it has no certificate: not that of what it was, and none that is like it.
func TestWrongOwnersAreFound(t *testing.T) {
	wrong, right, tried := 0, 0, 0
	for seed := range seeds(3 * *programs) {
		r := rand.New(rand.NewPCG(seed, 13))
		src, pipeline := owned(t, r)
		m := load(src)
		what := misown(m, r)
		if what == "" || ir.Verify(m) != nil {
			continue
		}
		m = load([]byte(text(m)))
		v := verdict(m)
		var found *exec.Finding
		for _, fn := range functions(m) {
			for input := range uint64(4) {
				if f := refuted(m, fn, input); f != nil {
					wrong++
					found = f
				}
			}
		}
		if found != nil && v == "safe" {
			t.Fatalf("program %d, %s, %s: %v\n%s", seed, pipeline, what, found.Diagnostic, text(m))
		}
		if found != nil {
			if proof, _ := certify(t, load(src)); proof != "" {
				tried += neverCertified(t, m, proof, r, stringer(what))
			}
		}
		if v == "safe" {
			right++
		}
	}
	t.Logf("%d executions went wrong, %d programs are safe after all; %d certificates refused", wrong, right, tried)
	if wrong == 0 || right == 0 || tried == 0 {
		t.Error("no program was broken, or all")
	}
}
