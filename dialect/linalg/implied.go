package linalg

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

// NameSaysBody tells whether what is written of an operation, but for its body, says what the body computes.
func NameSaysBody(op *ir.Op) bool {
	a, ok := asm.Assembly.Of(op)
	return ok && a.Says != nil && a.Says(op)
}

// implies tells whether the body of a named operation computes what the name says: what
// is written without its body is read with the body of the name.
func (s *spec) implies(op *ir.Op) bool {
	if s.hasBody(op) {
		return true
	}
	b := ir.NewBuilder(op.Context())
	state := b.State(s.id)
	implied := state.AddRegion()
	if s.fillBody(b, implied, op.Operands().Values(), op) != nil {
		return false
	}
	body, yield := op.RegionAt(0).Entry(), implied.Entry().Last()
	return body.NumArgs() == implied.Entry().NumArgs() && sameYields(body, func(i int, v *ir.Value) bool {
		return i < yield.NumOperands() && sameScalar(body, v, yield.Operand(i))
	})
}

// hasBody tells whether the body of a named operation is as it is made for the name, operation by
// operation, as nearly all are.
func (s *spec) hasBody(op *ir.Op) bool {
	body := op.RegionAt(0).Entry()
	if body.NumArgs() != op.NumOperands() {
		return false
	}
	for i, a := range body.Args() {
		if a.Type() != bodyType(op.Operand(i).Type()) {
			return false
		}
	}
	f := scalarBuilder{ctx: op.Context(), args: body.Args(), op: op, next: body.First()}
	v, err := f.build(s.body)
	return err == nil && f.next == body.Last() && f.next.OnlyOperand() == v
}

// CopiesElements tells whether the body of an operation, which has one, has no effects and yields the element of the first operand.
func CopiesElements(op *ir.Op) bool {
	body := op.RegionAt(0).Entry()
	return sameYields(body, func(i int, v *ir.Value) bool { return i == 0 && v == body.Args()[0] })
}

// sameYields tells whether a body has no effects, and same holds for what it yields.
func sameYields(body *ir.Block, same func(i int, v *ir.Value) bool) bool {
	yield := body.Last()
	for op := body.First(); op != yield; op = op.Next() {
		if !interfaces.IsMemoryEffectFree(op) {
			return false
		}
	}
	for i, v := range yield.Operands().Values() {
		if !same(i, v) {
			return false
		}
	}
	return yield.NumOperands() > 0
}

// sameScalar tells whether v is computed from the arguments of body as w is, which belongs
// to an implied body, up to the order of operands and what folding does to constants.
func sameScalar(body *ir.Block, v, w *ir.Value) bool {
	if v.Type() != w.Type() {
		return false
	}
	if k := foldedConstant(w); k != nil {
		return foldedConstant(v) == k
	}
	a, b := v.DefiningOp(), w.DefiningOp()
	if a == nil || b == nil {
		return a == b && v.ArgOwner() == body && v.Index() == w.Index()
	}
	if !ir.SameShape(a, b) {
		return false
	}
	if a.Has(ir.TraitCommutative) && a.NumOperands() == 2 &&
		sameScalar(body, a.Operand(0), b.Operand(1)) && sameScalar(body, a.Operand(1), b.Operand(0)) {
		return true
	}
	for i := range a.NumOperands() {
		if !sameScalar(body, a.Operand(i), b.Operand(i)) {
			return false
		}
	}
	return true
}

// foldedConstant returns the constant that a value is or folds to, or nil.
func foldedConstant(v *ir.Value) ir.Attribute {
	if k := ir.ConstantOf(v); k != nil {
		return k
	}
	op := v.DefiningOp()
	if op == nil || op.NumOperands() != 1 || op.NumRegions() > 0 {
		return nil
	}
	k := foldedConstant(op.OnlyOperand())
	if k == nil {
		return nil
	}
	if results := ir.Evaluate(op, []ir.Attribute{k}); len(results) == 1 {
		return results[0]
	}
	return nil
}
