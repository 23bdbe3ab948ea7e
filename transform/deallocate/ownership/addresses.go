package ownership

import (
	"freehold/dialect/bufferization"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// CheckAddresses rejects the deallocations in root that can't be lowered: what they are
// lowered to compares base addresses, and that of a view with a shift isn't that of its
// allocation, so that a buffer would be taken for another one. MLIR's pass lowers them, and
// the program frees a buffer twice or uses it afterwards.
func CheckAddresses(root *ir.Op) error {
	var shifts []*ir.Op
	root.Walk(func(op *ir.Op) bool {
		if !interfaces.KeepsBaseAddress(op) {
			shifts = append(shifts, op)
		}
		return true
	})
	if len(shifts) == 0 {
		return nil
	}
	a := &addresses{analysis.NewBuffers(root, analysis.BufferOptions{}), map[*ir.Value]*ir.Op{}}
	for _, op := range shifts {
		for i := range op.NumResults() {
			a.buffers.Names(op.Result(i), func(name *ir.Value) { a.shifted[name] = op })
		}
	}
	var err error
	root.Walk(func(op *ir.Op) bool {
		if err == nil && op.Is(bufferization.Dealloc) {
			err = a.check(dealloc(op))
		}
		return err == nil
	})
	return err
}

// addresses knows which buffers may have another base address than their allocation.
type addresses struct {
	buffers *analysis.Buffers
	shifted map[*ir.Value]*ir.Op // the view with a shift that they may be
}

func (a *addresses) check(d bufferization.DeallocOp) error {
	// What is never freed needn't be told apart from anything.
	var memrefs []*ir.Value
	for i, v := range d.MemRefs().Values() {
		if condition, ok := ir.ConstantInt(d.Conditions().At(i)); !ok || condition != 0 {
			memrefs = append(memrefs, v)
		}
	}
	for i, v := range memrefs {
		for _, w := range append(memrefs[i+1:len(memrefs):len(memrefs)], d.Retained().Values()...) {
			view := a.shifted[v]
			if view == nil {
				view = a.shifted[w]
			}
			if view == nil || base(v) == base(w) || a.buffers.Query(v, w) == analysis.NeverAlias {
				continue
			}
			return d.Op.PlainErrorf("buffers can't be told apart by their addresses").
				WithNote(view.Loc(), "one may be this view, whose address is not that of its allocation")
		}
	}
	return nil
}

// base follows views backwards as long as they have the same base address.
func base(v *ir.Value) *ir.Value {
	var t ir.Trail
	for v.DefiningOp() != nil && !t.Returns(v) {
		m, ok := interfaces.ViewLike.Of(v.DefiningOp())
		if !ok || !interfaces.KeepsBaseAddress(v.DefiningOp()) {
			break
		}
		v = m(v.DefiningOp())
	}
	return v
}
