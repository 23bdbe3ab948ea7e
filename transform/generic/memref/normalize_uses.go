package memref

import (
	"slices"

	"freehold/dialect/affine"
	"freehold/dialect/arith"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// followsLayouts tells whether buffers that an operation uses may get another type, as far as the kind of the operation goes.
func followsLayouts(op *ir.Op) bool {
	_, indifferent := interfaces.MemRefsNormalizable.Of(op)
	return indifferent || isAffineAccess(op) || op.Is(affine.DmaStart) || op.Is(affine.DmaWait) || op.Is(memref.Load) || op.Is(memref.Store) ||
		op.Is(memref.Dim) || op.Is(memref.Cast) || op.Is(memref.ReinterpretCast) || op.Is(funcd.Call) || op.Is(funcd.Return)
}

func isAffineAccess(op *ir.Op) bool {
	return op.Is(affine.Load) || op.Is(affine.Store) || op.Is(affine.VectorLoad) || op.Is(affine.VectorStore) || op.Is(affine.Prefetch)
}

// rewritable tells whether a use of a buffer can do without its layout. symbols are the operands of the layout.
func rewritable(u *ir.Use, f *normalForm, symbols []*ir.Value) bool {
	op := u.Owner()
	scope := affine.Scope(op)
	if slices.ContainsFunc(symbols, func(v *ir.Value) bool { return !affine.IsValidSymbol(v, scope) }) {
		return false
	}
	switch {
	case isAffineAccess(op):
		// The buffer may also be what is stored in another one.
		o := affine.AccessOp{Op: op}
		return o.MemRef() == u.Value() && o.Value() != u.Value()
	case op.Is(affine.DmaStart), op.Is(affine.DmaWait):
		return true
	case op.Is(memref.Load), op.Is(memref.Store):
		a := accesses[op.ID()]
		start, _ := op.OperandGroupRange(a.buffer)
		return u.Index() == start && !slices.ContainsFunc(op.OperandGroup(a.indices).Values(), func(v *ir.Value) bool { return !affine.IsValidDim(v, scope) })
	case op.Is(memref.Dim):
		d, ok := memref.DimOp{Op: op}.ConstantIndex()
		shape := u.Value().Type().(*ir.MemRefType).Shape
		return ok && d >= 0 && d < int64(len(shape)) && (shape[d] != ir.Dynamic || f.dimensionOf(d) >= 0)
	}
	return !op.Is(memref.Cast) && !op.Is(memref.ReinterpretCast)
}

// dimensionOf returns the dimension that is dimension d of the type with the layout, -1 if there is none.
func (f *normalForm) dimensionOf(d int64) int {
	is := func(i int) bool { e := f.at.Results[i]; return e.Kind == ir.AffineDim && e.Value == d }
	if int(d) < len(f.at.Results) && is(int(d)) {
		return int(d)
	}
	for i := range f.at.Results {
		if is(i) {
			return i
		}
	}
	return -1
}

// rewrite gives the values of a function their new types, and changes what uses them.
func (n *normalizer) rewrite(fn *ir.Op) bool {
	t := funcd.Type(fn)
	inputs, results := slices.Clone(t.Inputs), slices.Clone(t.Results)
	for i, t := range inputs {
		if f := n.argForm(fn, i, t); f != nil {
			inputs[i] = f.to
		}
	}
	for i, t := range results {
		if n.results[fn][i] {
			results[i] = n.form(t).to
		}
	}
	var values []*ir.Value
	keep := func(list []*ir.Value) {
		for _, v := range list {
			if n.values[v] != nil {
				values = append(values, v)
			}
		}
	}
	if body := funcd.Body(fn); !body.Empty() {
		keep(body.Entry().Args())
	}
	fn.Walk(func(op *ir.Op) bool {
		keep(op.Results().Values())
		return true
	})
	for _, v := range values {
		n.replace(v, n.values[v])
	}
	next := n.c.Function(inputs, results)
	if next != t {
		m, _ := interfaces.Function.Of(fn)
		m.SetType(fn, next)
	}
	changed := next != t || len(values) > 0
	// mlir-opt makes all calls anew.
	for _, call := range n.callers[fn] {
		for _, a := range call.DiscardableAttrs() {
			call.SetAttr(a.Name, nil)
			changed = true
		}
	}
	return changed
}

// replace gives a value the type without layout.
func (n *normalizer) replace(v *ir.Value, f *normalForm) {
	symbols := n.symbols(v)
	var users []*ir.Op
	for _, u := range v.Uses() {
		if op := u.Owner(); len(users) == 0 || users[len(users)-1] != op {
			users = append(users, op)
		}
	}
	for _, op := range users {
		n.rewriteUser(op, v, f, symbols)
	}
	if op := v.DefiningOp(); op != nil && op.Is(memref.Alloc) {
		v.ReplaceAllUsesWith(n.alloc(memref.AllocOp{Op: op}, f))
		op.Erase()
		return
	}
	v.SetType(f.to)
}

// alloc allocates a buffer without layout for one that has a layout.
func (n *normalizer) alloc(o memref.AllocOp, f *normalForm) *ir.Value {
	b := n.b
	b.SetBefore(o.Op)
	b.Loc = o.Loc()
	var sizes []*ir.Value
	if len(f.sizes) > 0 {
		dynamic := o.DynamicSizes().Values()
		var all []*ir.Value
		for _, size := range o.Type().Shape {
			if size == ir.Dynamic {
				all = append(all, dynamic[0])
				dynamic = dynamic[1:]
			} else {
				all = append(all, arith.ConstantIndex(b, size))
			}
		}
		for _, e := range f.sizes {
			sizes = append(sizes, affine.NewApply(b, n.c.AffineMap(len(all), 0, e), all...))
		}
	}
	alignment, _ := o.Alignment()
	return memref.NewAlloc(b, f.to, sizes, alignment)
}

// rewriteUser makes an operation use the buffer v without its layout.
func (n *normalizer) rewriteUser(op *ir.Op, v *ir.Value, f *normalForm, symbols []*ir.Value) {
	b := n.b
	b.SetBefore(op)
	b.Loc = op.Loc()
	switch {
	case isAffineAccess(op):
		o := affine.AccessOp{Op: op}
		o.SetMap(n.position(f, o.Map(), o.MapOperands().Values(), symbols))
	case op.Is(affine.DmaStart):
		n.rewriteDMA(op, v, f, symbols, affine.SrcMapAttr, affine.DstMapAttr, affine.TagMapAttr)
	case op.Is(affine.DmaWait):
		n.rewriteDMA(op, v, f, symbols, affine.TagMapAttr)
	case op.Is(memref.Load), op.Is(memref.Store):
		operands := mixed(append(op.OperandGroup(accesses[op.ID()].indices).Values(), symbols...))
		var indices []shapes.OpFoldResult
		for _, e := range f.at.Results {
			indices = append(indices, affine.FoldedApply(b, f.at.Dims, e, operands...))
		}
		op.SetOperandGroup(accesses[op.ID()].indices, arith.ValuesOf(b, indices))
	case op.Is(memref.Dim):
		d, _ := memref.DimOp{Op: op}.ConstantIndex()
		switch i := f.dimensionOf(d); {
		case i < 0:
			op.Result(0).ReplaceAllUsesWith(arith.ConstantIndex(b, v.Type().(*ir.MemRefType).Shape[d]))
			op.Erase()
		case i != int(d):
			op.SetOperand(1, arith.ConstantIndex(b, int64(i)))
		}
	}
}

// rewriteDMA makes a transfer, whose maps are in the attributes, use the buffer v without its layout.
func (n *normalizer) rewriteDMA(op *ir.Op, v *ir.Value, f *normalForm, symbols []*ir.Value, attrs ...string) {
	for i, a := range attrs {
		sides, _, _ := affine.DmaSides(op, attrs...)
		if s := sides[i]; s.MemRef == v {
			m, operands := n.position(f, s.Map, s.Operands.Values(), symbols)
			affine.SetDmaSide(op, a, m, operands)
		}
	}
}

// position returns the map, with its operands, of an access without layout, given those of the access with it. What computes the old indices
// stays, as it does in mlir-opt, unless they are operands.
func (n *normalizer) position(f *normalForm, m *ir.AffineMap, operands, symbols []*ir.Value) (*ir.AffineMap, []*ir.Value) {
	indices := operands
	if !m.IsIdentity() {
		indices = nil
		for _, e := range m.Results {
			indices = append(indices, affine.NewApply(n.b, n.c.AffineMap(m.Dims, m.Syms, e), operands...))
		}
	}
	indices = append(slices.Clone(indices), symbols...)
	var now []*ir.Value
	for _, e := range f.at.Results {
		now = append(now, affine.NewApply(n.b, n.c.AffineMap(f.at.Dims, f.at.Syms, e), indices...))
	}
	next, used := affine.Compose(n.c, n.c.IdentityMap(len(now)), now)
	for _, v := range now {
		v.DefiningOp().Erase()
	}
	return next, used
}
