package rewrite

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// Folder folds operations one after another, and uses the room for their constants again. The zero
// value is ready, and folds as the version of LLVM does that programs are of.
type Folder struct {
	// LLVM is the version that folds are of, if it is later.
	LLVM     int
	operands []ir.Attribute
}

// Fold tries to fold an operation, first with its definition's Fold and then by
// its traits. If it changed the operation in place, changed is set and there are
// no results; else there is one result for each of the operation's, or none if it
// doesn't fold.
func (f *Folder) Fold(op *ir.Op) (results []ir.FoldResult, changed bool) {
	def := op.Def()
	fold := def.Fold
	if f.LLVM > 0 && len(def.Revisions) > 0 {
		fold = def.FoldOf(f.LLVM)
	}
	if fold == nil && def.Traits&(ir.TraitCommutative|ir.TraitIdempotent|ir.TraitInvolution) == 0 {
		return nil, false
	}
	f.operands = f.operands[:0]
	for i := range op.NumOperands() {
		var constant ir.Attribute
		if d := op.Operand(i).DefiningOp(); d != nil {
			constant = ConstantValue(d)
		}
		f.operands = append(f.operands, constant)
	}
	if fold != nil {
		results = fold(op, f.operands)
		changed = results != nil && len(results) == 0
		if len(results) > 0 && !ofItself(op, results[0].Value) && haveTypes(op, results) {
			return results, false
		}
	}
	if v, ok := foldTraits(op, f.operands); ok && !ofItself(op, v) {
		if v == nil {
			return nil, true
		}
		if results := ir.FoldValue(v); haveTypes(op, results) {
			return results, false
		}
	}
	return nil, changed
}

// haveTypes tells whether values that an operation folds to are of the types of its results: an operand may know other sizes than they do.
func haveTypes(op *ir.Op, results []ir.FoldResult) bool {
	for i, f := range results {
		if f.Value != nil && f.Value.Type() != op.Result(i).Type() {
			return false
		}
	}
	return true
}

// ofItself tells whether what an operation folds to is its own only result: in graphs, and in code
// that isn't reached, a value can be defined by itself.
func ofItself(op *ir.Op, v *ir.Value) bool {
	return v != nil && op.NumResults() == 1 && v == op.Result(0)
}

// LeadsBack tells whether op can't take the operands of another operation, which defines one of its
// own, in place of that: in code that isn't reached, these can be what one of the two defines. O(operands)
func LeadsBack(inner, op *ir.Op) bool {
	for _, v := range inner.Operands().Values() {
		if d := v.DefiningOp(); d != nil && (d == op || d == inner) {
			return true
		}
	}
	return false
}

// foldTraits returns the value that the operation is equal to by its traits, or
// nil and true if it only ordered its operands.
func foldTraits(op *ir.Op, operands []ir.Attribute) (*ir.Value, bool) {
	t := op.Def().Traits
	if t&ir.TraitCommutative != 0 && constantsLast(op, operands) {
		return nil, true
	}
	if t&ir.TraitIdempotent != 0 {
		switch op.NumOperands() {
		case 1:
			in := op.OnlyOperand()
			if def := in.DefiningOp(); def != nil && def.OpName() == op.OpName() && def != op {
				return in, true
			}
		case 2:
			if op.Operand(0) == op.Operand(1) {
				return op.Operand(0), true
			}
		}
	}
	if t&ir.TraitInvolution != 0 {
		if def := op.OnlyOperand().DefiningOp(); def != nil && def.OpName() == op.OpName() && def != op {
			return def.OnlyOperand(), true
		}
	}
	return nil, false
}

// constantsLast moves constant operands behind the others and tells whether that
// changed anything.
func constantsLast(op *ir.Op, operands []ir.Attribute) bool {
	n := op.NumOperands()
	first := 0
	for first < n && operands[first] == nil {
		first++
	}
	sorted := true
	for i := first; i < n; i++ {
		sorted = sorted && operands[i] != nil
	}
	if n < 2 || sorted {
		return false
	}
	var others, constants []*ir.Value
	for i := first; i < n; i++ {
		if operands[i] == nil {
			others = append(others, op.Operand(i))
		} else {
			constants = append(constants, op.Operand(i))
		}
	}
	ordered := append(others, constants...)
	for i, v := range ordered {
		if op.Has(ir.TraitSameOperandsAndResultType) && v.Type() != op.Operand(first+i).Type() {
			return false // the type that is inferred from the first operand would be another one
		}
	}
	for i, v := range ordered {
		op.SetOperand(first+i, v)
	}
	return true
}

// Materialize creates, at the builder's insertion point, constants for the folded
// results of op that are attributes, and returns a value for each result. If the
// operation's dialect can't make one of the constants, it creates none and returns
// nil.
func Materialize(b *ir.Builder, op *ir.Op, results []ir.FoldResult) []*ir.Value {
	values := make([]*ir.Value, len(results))
	loc := b.Loc
	b.Loc = op.Loc()
	defer func() { b.Loc = loc }()
	for i, f := range results {
		if f.Value != nil {
			values[i] = f.Value
			continue
		}
		var c *ir.Op
		if m, ok := interfaces.ConstantMaterializer.OfDialect(op.Dialect()); ok && f.Attr != nil {
			c = m(b, f.Attr, op.Result(i).Type())
		}
		if c == nil {
			for j := range i {
				if results[j].Value == nil {
					values[j].DefiningOp().Erase()
				}
			}
			return nil
		}
		values[i] = c.Result(0)
	}
	return values
}

// CreateOrFold creates an operation and returns its results, or, if it folds,
// what it folds to.
func CreateOrFold(b *ir.Builder, s ir.OpState) []*ir.Value {
	return OrFold(b, func() *ir.Op { return b.Create(s) })
}

// OrFold is [CreateOrFold] for an operation that a function creates with the builder, at its insertion point. The
// function creates nothing else.
func OrFold(b *ir.Builder, create func() *ir.Op) []*ir.Value {
	listener := b.Listener
	b.Listener = nil
	op := create()
	b.Listener = listener
	if !op.Has(ir.TraitConstantLike) {
		results, _ := new(Folder).Fold(op)
		if len(results) > 0 {
			at := b.InsertionPoint()
			b.SetBefore(op)
			values := Materialize(b, op, results)
			b.SetInsertionPoint(at)
			if values != nil {
				op.Erase()
				return values
			}
		}
	}
	if listener != nil && op.Block() != nil {
		listener.OpInserted(op)
	}
	return op.Results().Values()
}
