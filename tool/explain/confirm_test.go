package explain_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"freehold/dialect/bufferization"
	"freehold/driver"
	"freehold/internal/testing/irgen"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
	"freehold/transform/bufferize/oneshot"
)

// What a reason names is what makes the copy necessary: with the named reads gone, or with
// a buffer that may be written instead of the named one, the operand is in place.
func TestReasonsAreCauses(t *testing.T) {
	files, err := filepath.Glob("../../examples/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	var all tally
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all.confirm(t, f, src)
	}
	for seed := range uint64(100) {
		all.confirm(t, "random program", []byte(irgen.Tensors(rand.New(rand.NewPCG(seed, 1)).IntN, 40)))
	}
	t.Logf("%d of %d copies confirmed", all.confirmed, all.copies)
	if all.copies < 300 {
		t.Errorf("only %d copies: programs that make more are needed", all.copies)
	}
}

type tally struct{ copies, confirmed int }

func (x *tally) confirm(t *testing.T, name string, src []byte) {
	base := analyzed(src)
	if base == nil {
		return
	}
	for n, d := range base.refused {
		switch d.Reason.Rule {
		case oneshot.ReadAfterWrite, oneshot.OutOfOrder, oneshot.Constant, oneshot.ReadOnlyArgument, oneshot.ReadOnlyBuffer:
		default:
			continue
		}
		x.copies++
		changed := analyzed(src, func(m *program) {
			same := m.refused[n]
			for _, r := range append([]oneshot.Reason{same.Reason}, same.Reason.More...) {
				remove(m.module, r)
			}
		})
		// Another operand may take the place of this one, if that has a reason, too.
		after, ok := changed.plan.Decision(changed.use(base.where[d.Use]))
		if left := len(changed.refused); !ok || !after.InPlace && left >= len(base.refused) {
			t.Errorf("%s: the copy of an operand of %s at %v stays: %v; without what was named: %v", name, d.Use.Owner().Name(), d.Use.Owner().Loc(), d.Reason.Rule, after.Reason.Rule)
			continue
		}
		x.confirmed++
	}
}

// program is a program with the plan for it. Uses are known by their numbers in the order
// of the text.
type program struct {
	module  *ir.Op
	plan    *oneshot.Plan
	refused []oneshot.Decision
	where   map[*ir.Use]int
}

func (p *program) use(number int) *ir.Use {
	for u, n := range p.where {
		if n == number {
			return u
		}
	}
	return nil
}

// analyzed parses a program, makes a plan, and, if there are changes, makes them and
// another plan, in which uses have the numbers that they had.
func analyzed(src []byte, changes ...func(*program)) *program {
	ctx := driver.Freehold().NewContext()
	m, err := asm.Parse(ctx, src, "test.mlir", asm.ParseOptions{})
	if err != nil || ir.Verify(m) != nil {
		return nil
	}
	p := &program{module: m, where: map[*ir.Use]int{}}
	m.Walk(func(op *ir.Op) bool {
		for i := range op.NumOperands() {
			p.where[op.OperandUse(i)] = len(p.where)
		}
		return true
	})
	o := oneshot.DefaultOptions()
	o.BufferizeFunctionBoundaries, o.AllowReturnAllocsFromLoops, o.AllReasons = true, true, true
	if p.plan, err = oneshot.Analyze(m, o); err != nil {
		return nil
	}
	p.refused = refused(p.plan)
	for _, change := range changes {
		change(p)
		if p.plan, err = oneshot.Analyze(m, o); err != nil {
			return nil
		}
		p.refused = refused(p.plan)
	}
	return p
}

// refused returns the decisions to copy.
func refused(p *oneshot.Plan) []oneshot.Decision {
	var out []oneshot.Decision
	for d := range p.OutOfPlace() {
		if d.Copy != oneshot.NoCopy {
			out = append(out, d)
		}
	}
	return out
}

// remove removes what a reason is about: its read, or that something may not be written.
func remove(m *ir.Op, r oneshot.Reason) {
	if r.Read != nil {
		replaceUse(r.Read)
		return
	}
	v := r.Definition
	if op := v.DefiningOp(); op != nil {
		b := ir.NewBuilder(op.Context())
		b.SetBefore(op)
		v.ReplaceAllUsesWith(fresh(b, v))
		return
	}
	interfaces.EditArgAttrs(interfaces.OwnerOf(v), func(i int, attrs []ir.NamedAttr) []ir.NamedAttr {
		if i != v.Index() {
			return attrs
		}
		return []ir.NamedAttr{{Name: bufferization.WritableAttr, Value: m.Context().Bool(true)}}
	})
}
