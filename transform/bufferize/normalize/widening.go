package normalize

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// ReadNarrow lets named operations, such as products of matrices, read elements before these are widened for them, where the operation is defined to widen them itself, in the same way: weights
// in half precision needn't be there in single precision as well. It returns how many operands it replaced. Linear time.
func ReadNarrow(fn *ir.Op) (n int) {
	if hasBuffers(fn) {
		return 0
	}
	b := ir.NewBuilder(fn.Context())
	for _, op := range structuredIn(fn) {
		if op.Is(linalg.Generic) || hasMeaning(op) || op.NumRegions() != 1 || interfaces.AllParallel(op) {
			continue
		}
		for i := range interfaces.DpsInputs(op) {
			if w := wideningOf(op.Operand(i)); w != nil && isOnlyReduced(w.Result(0)) {
				if made := readNarrow(b, op, i, w); made != nil {
					op = made
					n++
				}
			}
		}
	}
	return n
}

// wideningOf returns the operation that makes a tensor by widening each element of another one where it is, or nil.
func wideningOf(v *ir.Value) *ir.Op {
	def := v.DefiningOp()
	if def == nil || !isWidening(def) {
		return nil
	}
	if maps := interfaces.IndexingMaps(def); maps[0] != maps[1] || !maps[0].IsPermutation() {
		return nil
	}
	return def
}

// isWidening tells whether a structured operation on one tensor does nothing but to widen its elements.
func isWidening(op *ir.Op) bool {
	if _, ok := linalg.AsStructured(op); !ok || op.NumResults() != 1 || op.NumRegions() != 1 || op.NumOperands() != 2 || len(interfaces.DpsInputs(op)) != 1 || !interfaces.AllParallel(op) || hasMeaning(op) ||
		!interfaces.HasTensorSemantics(op) {
		return false
	}
	body := op.BodyBlock(0)
	cast := body.First()
	return (cast.Is(arith.ExtF) || cast.Is(arith.ExtSI) || cast.Is(arith.ExtUI)) && cast.Next() == body.Last() && cast.OnlyOperand() == body.Arg(0) && body.Last().OnlyOperand() == cast.Result(0)
}

// isOnlyReduced tells whether all that reads a tensor are operations that reduce, and whose bodies are given by their names: else it is needed in any case.
func isOnlyReduced(v *ir.Value) bool {
	return !slices.ContainsFunc(v.Uses(), func(u *ir.Use) bool {
		op := u.Owner()
		return !interfaces.Structured.Has(op) || op.Is(linalg.Generic) || interfaces.IsInit(u) || interfaces.AllParallel(op)
	})
}

// readNarrow replaces an operation by one that reads what is widened for it; nil if that widens in another way, or not at all.
func readNarrow(b *ir.Builder, op *ir.Op, operand int, widening *ir.Op) *ir.Op {
	inputs := interfaces.DpsInputs(op).Values()
	inputs[operand] = widening.Operand(0)
	var attrs []ir.NamedAttr
	for _, a := range op.AllAttrs() {
		if a.Name != ir.OperandSegmentsAttr && op.DiscardableAttr(a.Name) == nil {
			attrs = append(attrs, a)
		}
	}
	b.SetBefore(op)
	b.Loc = op.Loc()
	made, err := linalg.TryNamed(b, op.ID(), inputs, interfaces.DpsInits(op).Values(), attrs...)
	if err != nil {
		return nil
	}
	if !widensAs(made, op, operand, widening.BodyBlock(0).First()) {
		made.Erase()
		return nil
	}
	op.ReplaceAllUsesWith(made.Results().Values())
	op.Erase()
	if !widening.HasUses() {
		eraseComputed(widening)
	}
	return made
}

// widensAs tells whether the body of an operation is that of another one, but for an operand that it casts first.
func widensAs(made, op *ir.Op, operand int, cast *ir.Op) bool {
	narrow := made.BodyBlock(0).Arg(operand)
	if !narrow.HasOneUse() {
		return false
	}
	own := narrow.FirstUse().Owner()
	if own.ID() != cast.ID() || own.Result(0).Type() != cast.Result(0).Type() {
		return false
	}
	m := ir.NewMapping()
	for i, a := range op.BodyBlock(0).Args() {
		m.Map(a, made.BodyBlock(0).Arg(i))
	}
	m.Map(op.BodyBlock(0).Arg(operand), own.Result(0))
	x := op.BodyBlock(0).First()
	for y := made.BodyBlock(0).First(); y != nil; y = y.Next() {
		if y == own {
			continue
		}
		if x == nil || x.ID() != y.ID() || x.NumOperands() != y.NumOperands() || x.NumResults() != y.NumResults() {
			return false
		}
		for i, v := range x.Operands().Values() {
			if m.Value(v) != y.Operand(i) {
				return false
			}
		}
		for i, v := range x.Results().Values() {
			m.Map(v, y.Result(i))
		}
		x = x.Next()
	}
	return x == nil
}
