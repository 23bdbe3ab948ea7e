package mlprogram

import (
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// globalBufferize makes a global of a tensor one of a buffer.
type globalBufferize struct{ interfaces.BufferizeDefaults }

func (globalBufferize) HasTensors(op *ir.Op) bool { return ir.IsTensor(GlobalOp{op}.Type()) }

func (globalBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	o := GlobalOp{op}
	t, ok := b.IdentityType(o.Type(), nil).(*ir.MemRefType)
	if !ok || !ir.IsStaticShape(t.Shape) {
		return op.Errorf("holds tensors whose size isn't known, and can't be bufferized")
	}
	name, _ := ir.SymbolName(op)
	visibility := ""
	if v, ok := op.Attr(ir.SymbolVisibilityAttr).(*ir.StringAttr); ok {
		visibility = v.Value
	}
	initial := o.Value()
	switch {
	case initial == nil:
		initial = ir.Unit
	case isExtern(initial):
		initial = nil
	case ir.TypeOfAttr(initial) != o.Type():
		return op.Errorf("has an initial value of another type, and can't be bufferized")
	}
	memref.NewGlobal(b.Builder(), name, visibility, t, initial, !o.IsMutable(), 0)
	b.Erase(op)
	return nil
}

// loadBufferize reads the buffer of a global: a copy of it, unless nothing can be stored into
// the global as long as the tensor is used. (mlir-opt never copies, so that tensors
// change that were loaded before.)
type loadBufferize struct{ interfaces.BufferizeDefaults }

// IsWritable returns false: what is loaded may be the global's own buffer.
func (loadBufferize) IsWritable(*ir.Value, interfaces.AnalysisState) bool { return false }

func (loadBufferize) BufferType(v *ir.Value, t interfaces.BufferTyper) (ir.Type, error) {
	return t.IdentityType(v.Type(), nil), nil
}

func (loadBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	t, err := b.BufferType(op.Result(0))
	if err != nil {
		return err
	}
	m, ok := t.(*ir.MemRefType)
	if !ok || !ir.IsStaticShape(m.Shape) {
		return op.Errorf("loads a tensor whose size isn't known, and can't be bufferized")
	}
	buffer := memref.NewGetGlobal(b.Builder(), m, symbol(op).Leaf())
	if !constant(op) && !unchanged(op, b.State()) {
		own, err := b.Alloc(m, nil)
		if err != nil {
			return err
		}
		if err := b.Copy(buffer, own); err != nil {
			return err
		}
		buffer = own
	}
	b.Replace(op, buffer)
	return nil
}

// constant tells whether an operation loads from a constant, which may be bufferized already.
func constant(op *ir.Op) bool {
	g := lookup(op, ir.LookupSymbol)
	switch {
	case op.Is(GlobalLoadConst):
		return true
	case g == nil:
		return false
	case g.Is(memref.Global):
		return memref.GlobalOp{Op: g}.IsConstant()
	}
	return g.Is(Global) && !GlobalOp{g}.IsMutable()
}

// unchanged tells whether nothing can be stored into a global while what was loaded from it,
// and what may be in the same buffer, is used: that is used in the same block only, and not
// passed on, and there are neither stores nor calls in between.
func unchanged(op *ir.Op, s interfaces.AnalysisState) bool {
	last := op
	seen := map[*ir.Value]bool{op.Result(0): true}
	for work := []*ir.Value{op.Result(0)}; len(work) > 0; {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, u := range v.Uses() {
			user := op.Block().AncestorIn(u.Owner())
			if user == nil || user.Has(ir.TraitTerminator) {
				return false
			}
			if last.IsBefore(user) {
				last = user
			}
			for _, a := range s.AliasingValues(u) {
				if !seen[a.Value] {
					seen[a.Value] = true
					work = append(work, a.Value)
				}
			}
		}
	}
	for o := op; o != last; {
		o = o.Next()
		if o == last && o.Is(GlobalStore) {
			break // which has read what it stores
		}
		changes := false
		o.Walk(func(x *ir.Op) bool {
			_, call := interfaces.Call.Of(x)
			changes = changes || call || !x.Registered() || x.Is(GlobalStore) || x.Is(memref.GetGlobal)
			return !changes
		})
		if changes {
			return false
		}
	}
	return true
}

// storeBufferize copies a tensor into the buffer of a global.
type storeBufferize struct{ interfaces.BufferizeDefaults }

func (storeBufferize) Reads(*ir.Use, interfaces.AnalysisState) bool { return true }

func (storeBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	from, err := b.Buffer(storeOp{op}.Value())
	if err != nil {
		return err
	}
	t, ok := b.IdentityType(storeOp{op}.Value().Type(), nil).(*ir.MemRefType)
	if !ok || !ir.IsStaticShape(t.Shape) {
		return op.Errorf("stores a tensor whose size isn't known, and can't be bufferized")
	}
	if err := b.Copy(from, memref.NewGetGlobal(b.Builder(), t, symbol(op).Leaf())); err != nil {
		return err
	}
	b.Erase(op)
	return nil
}
