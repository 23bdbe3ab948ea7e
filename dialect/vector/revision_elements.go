package vector

import (
	"slices"

	"freehold/ir"
	"freehold/ir/rewrite"
)

// foldFromElements is how LLVM 22 folds vector.from_elements: of all elements of a vector, and of constants.
func foldFromElements(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	t := vec(op.Result(0).Type())
	if from := op.Operand(0).DefinedBy(ToElements); from != nil && (ToElementsOp{from}).Source().Type() == ir.Type(t) && sameValues(op, from) {
		return ir.FoldValue(ToElementsOp{from}.Source())
	}
	var data []byte
	for _, a := range operands {
		switch a.(type) {
		case *ir.IntegerAttr, *ir.FloatAttr:
			data = ir.AppendElement(data, a)
		default:
			return nil
		}
	}
	return ir.FoldAttr(op.Context().DenseElements(t, data))
}

// sameValues tells whether the operands of one operation are the results of another one.
func sameValues(op, from *ir.Op) bool {
	if op.NumOperands() != from.NumResults() {
		return false
	}
	for i := range op.NumOperands() {
		if op.Operand(i) != from.Result(i) {
			return false
		}
	}
	return true
}

// foldLaterToElements is how LLVM 22 folds vector.to_elements: also of a scalar that was broadcast.
func foldLaterToElements(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	scalar := splatSource(ToElementsOp{op}.Source())
	if scalar == nil {
		return foldToElements(op, operands)
	}
	return slices.Repeat([]ir.FoldResult{{Value: scalar}}, op.NumResults())
}

// elementsOfBroadcast takes the elements of a vector that was broadcast, each as often as it is needed.
func elementsOfBroadcast(r *rewrite.Rewriter, op *ir.Op) bool {
	bc := ToElementsOp{op}.Source().DefinedBy(Broadcast)
	if bc == nil || vec(BroadcastOp{bc}.Source().Type()) == nil {
		return false
	}
	src, dst := vec(BroadcastOp{bc}.Source().Type()), vec(bc.Result(0).Type())
	r.Loc = op.Loc()
	elements := r.CreateOp(ToElements, slices.Repeat([]ir.Type{src.Elem}, int(elementCount(src))), []*ir.Value{BroadcastOp{bc}.Source()})
	var out []*ir.Value
	more, at := len(dst.Shape)-len(src.Shape), make([]int64, len(src.Shape))
	eachPosition(dst.Shape, func(idx []int64) {
		for i, n := range src.Shape {
			if at[i] = idx[more+i]; n == 1 {
				at[i] = 0
			}
		}
		out = append(out, elements.Result(int(offset(src.Shape, at))))
	})
	r.Replace(op, out...)
	return true
}

// countsUp tells whether a vector of one dimension is 0, 1, 2, ….
func countsUp(v *ir.Value) bool {
	t := vec(v.Type())
	if len(t.Shape) != 1 || scalableDims(t) > 0 {
		return false
	}
	if v.DefinedBy(Step) != nil {
		return true
	}
	d, ok := ir.ConstantOf(v).(*ir.DenseElementsAttr)
	if !ok || d.Splat && d.Len() > 1 {
		return false
	}
	for i := range d.Len() {
		if n, ok := d.Elem(v.DefiningOp().Context(), i).(*ir.IntegerAttr); !ok || n.Big != nil || n.Value != i {
			return false
		}
	}
	return true
}

// inMemory tells whether the operation's base is a buffer whose rows are in memory one element after the other.
func inMemory(op *ir.Op) bool { return ir.IsMemRef(MaskedAccessOp{op}.Base().Type()) && inRows(op) }

// gatherInARow replaces a gather of elements that follow each other by a masked load.
func gatherInARow(r *rewrite.Rewriter, op *ir.Op) bool {
	if !inMemory(op) || !countsUp(op.OperandGroup(2).At(0)) {
		return false
	}
	return replaceInARow(r, op, MaskedLoad)
}

// scatterInARow replaces a scatter to elements that follow each other by a masked store.
func scatterInARow(r *rewrite.Rewriter, op *ir.Op) bool {
	if !inMemory(op) || !countsUp(op.OperandGroup(2).At(0)) {
		return false
	}
	return replaceInARow(r, op, MaskedStore)
}

// replaceInARow replaces a gather or scatter by an operation that has the same operands but the indices of each element.
func replaceInARow(r *rewrite.Rewriter, op *ir.Op, id *ir.OpID) bool {
	operands := append(op.OperandGroup(0).Values(), op.OperandGroup(1).Values()...)
	operands = append(operands, op.OperandGroup(3).At(0), op.OperandGroup(4).At(0))
	r.Loc = op.Loc()
	made := r.CreateOp(id, op.Results().Types(), operands)
	if op.NumResults() == 0 {
		r.Erase(op)
		return true
	}
	r.Replace(op, made.Result(0))
	return true
}
