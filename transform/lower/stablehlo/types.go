package stablehlo

import (
	"freehold/dialect/stablehlo"
	"freehold/ir"
	"freehold/ir/conversion"
)

// convertTypes makes integers signless, quantized numbers those that store them, and forgets bounds of sizes, in all types of a module: what
// else operations need to know is in what they were lowered to. Linear time.
func convertTypes(module *ir.Op) {
	t := &typeChanger{c: module.Context(), types: map[ir.Type]ir.Type{}, attrs: map[ir.Attribute]ir.Attribute{}}
	module.Walk(func(op *ir.Op) bool {
		t.op(op)
		return true
	})
	conversion.ReconcileCasts(module)
	eraseIdentities(module)
}

// eraseIdentities removes casts to the type that a value has.
func eraseIdentities(module *ir.Op) {
	var casts []*ir.Op
	module.Walk(func(op *ir.Op) bool {
		if op.Name() == ir.CastName && op.NumResults() == 1 && op.OnlyOperand() != nil && op.OnlyOperand().Type() == op.Result(0).Type() {
			casts = append(casts, op)
		}
		return true
	})
	for _, op := range casts {
		op.Result(0).ReplaceAllUsesWith(op.OnlyOperand())
		op.Erase()
	}
}

type typeChanger struct {
	c     *ir.Context
	types map[ir.Type]ir.Type
	attrs map[ir.Attribute]ir.Attribute
}

func (t *typeChanger) op(op *ir.Op) {
	for _, v := range op.Results().Values() {
		t.value(v)
	}
	for _, r := range op.Regions() {
		for blk := range r.Blocks() {
			for _, a := range blk.Args() {
				t.value(a)
			}
		}
	}
	for i, a := range op.Props() {
		if a != nil {
			if n := t.attr(a); n != a {
				op.SetProp(i, n)
			}
		}
	}
}

func (t *typeChanger) value(v *ir.Value) {
	if n := t.typ(v.Type()); n != v.Type() {
		v.SetType(n)
	}
}

func (t *typeChanger) typ(x ir.Type) ir.Type {
	switch x.(type) {
	case *ir.FloatType, *ir.IndexType:
		return x
	}
	if n, ok := t.types[x]; ok {
		return n
	}
	n := t.changed(x)
	t.types[x] = n
	return n
}

func (t *typeChanger) changed(x ir.Type) ir.Type {
	switch x := x.(type) {
	case *ir.RankedTensorType:
		elem, encoding := t.typ(x.Elem), x.Encoding
		if d, ok := encoding.(*ir.DialectAttr); ok && d.Dialect == stablehlo.Dialect {
			encoding = nil
		}
		if elem == x.Elem && encoding == x.Encoding {
			return x
		}
		return t.c.RankedTensorOf(x.Shape, elem, encoding)
	case *ir.MemRefType, *ir.UnrankedTensorType, *ir.UnrankedMemRefType, *ir.VectorType:
		if elem := t.typ(ir.ElementType(x)); elem != ir.ElementType(x) {
			return t.c.WithElementType(x, elem)
		}
		return x
	case *ir.FunctionType:
		in, out := t.list(x.Inputs), t.list(x.Results)
		return t.c.Function(in, out)
	}
	if stablehlo.IsToken(x) {
		return ir.I1
	}
	return plain(t.c, x)
}

func (t *typeChanger) list(types []ir.Type) []ir.Type {
	out := make([]ir.Type, len(types))
	for i, x := range types {
		out[i] = t.typ(x)
	}
	return out
}

func (t *typeChanger) attr(a ir.Attribute) ir.Attribute {
	switch x := a.(type) {
	case *ir.TypeAttr:
		if n := t.typ(x.Type); n != x.Type {
			return t.c.TypeAttr(n)
		}
	case *ir.DenseElementsAttr:
		if n := t.typ(x.Type); n != x.Type {
			return t.c.DenseElements(n, []byte(x.Data))
		}
	case *ir.IntegerAttr:
		if n := t.typ(x.Type); n != x.Type {
			return t.c.BigIntegerAttr(n, x.BigInt())
		}
	case *ir.DenseResourceAttr:
		if n := t.typ(x.Type); n != x.Type {
			return t.c.DenseResource(n, x.Key)
		}
	}
	return a
}
