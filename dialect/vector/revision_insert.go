package vector

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// foldLaterInsert is how LLVM 22 folds vector.insert.
func foldLaterInsert(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if f := foldInsert(op, operands); f != nil {
		return f
	}
	// What was inserted at the same position before is gone.
	if inner := (InsertOp{op}).Dest().DefinedBy(Insert); inner != nil && inner != op && shapes.SameList(positionIn(op, 1), positionIn(inner, 1)) {
		op.SetOperand(1, InsertOp{inner}.Dest())
		return ir.FoldedInPlace()
	}
	if f := foldConstantPosition(op, 1); f != nil {
		return f
	}
	if f := foldPoisonPosition(op); f != nil {
		return f
	}
	if elements := constantsInserted(op); elements != nil {
		return ir.FoldAttr(op.Context().DenseElements(op.Result(0).Type(), slices.Concat(elements...)))
	}
	return nil
}

// insertOfScalar replaces the insertion of the only element of a vector, at a known position, by a broadcast.
func insertOfScalar(r *rewrite.Rewriter, op *ir.Op) bool {
	_, static := staticPositionOf(op)
	return static && vec(InsertOp{op}.Source().Type()) == nil && elementCount(vec(op.Result(0).Type())) == 1 && !atPoison(op) && replaceBroadcast(r, op, InsertOp{op}.Source())
}

// insertEqual replaces the insertion of a part of a vector whose elements are all the same into one of those by a broadcast.
func insertEqual(r *rewrite.Rewriter, op *ir.Op) bool {
	src, dst := splatSource(InsertOp{op}.Source()), splatSource(InsertOp{op}.Dest())
	return src != nil && src == dst && replaceBroadcast(r, op, src)
}

// splatSource returns the scalar that all elements of v are, or nil.
func splatSource(v *ir.Value) *ir.Value {
	if s := broadcastSource(v); s != nil && vec(s.Type()) == nil {
		return s
	}
	return nil
}

// placed is a value that was inserted at a range of elements.
type placed struct {
	start, n int64
	value    *ir.Value
}

// insertAll replaces the last one of a chain of insertions, which put a value at each element of a vector, by one operation.
func insertAll(r *rewrite.Rewriter, op *ir.Op) bool {
	t := vec(op.Result(0).Type())
	if scalableDims(t) > 0 {
		return false
	}
	for _, u := range op.Result(0).Uses() {
		if u.Owner().Is(Insert) && u.Index() == 1 {
			return false
		}
	}
	parts := insertionsFor(op, t)
	if parts == nil {
		return false
	}
	r.Loc = op.Loc()
	elements := make([]*ir.Value, elementCount(t))
	for _, p := range slices.Backward(parts) {
		v := vec(p.value.Type())
		if v == nil {
			elements[p.start] = p.value
			continue
		}
		copy(elements[p.start:], r.CreateOp(ToElements, slices.Repeat([]ir.Type{v.Elem}, int(p.n)), []*ir.Value{p.value}).Results().Values())
	}
	r.Replace(op, r.CreateOp(FromElements, []ir.Type{t}, elements).Result(0))
	return true
}

// insertionsFor returns the last insertions of a chain, the last one first, that together give a vector all its elements; nil if
// there are none, or a position in the chain isn't known, or what is between has other uses.
func insertionsFor(op *ir.Op, t *ir.VectorType) []placed {
	total := elementCount(t)
	if total > listedElements {
		return nil
	}
	var chain []*ir.Op
	for way := (ir.Trail{}); op != nil; op = (InsertOp{op}).Dest().DefinedBy(Insert) {
		if _, static := staticPositionOf(op); !static || len(chain) > 0 && !op.Result(0).HasOneUse() || way.Returns(op.Result(0)) {
			return nil
		}
		chain = append(chain, op)
	}
	var parts []placed
	set, left := make([]bool, total), total
	for _, op := range chain {
		if left == 0 {
			break
		}
		if atPoison(op) || !(InsertOp{op}).Fills() {
			return nil
		}
		p := placed{n: 1, value: InsertOp{op}.Source()}
		position := interfaces.StaticInts(op, staticPosition)
		for i, size := range t.Shape {
			p.start *= size
			if i < len(position) {
				p.start += position[i]
			} else {
				p.n *= size
			}
		}
		for i := range set[p.start : p.start+p.n] {
			if !set[p.start+int64(i)] {
				set[p.start+int64(i)] = true
				left--
			}
		}
		parts = append(parts, p)
	}
	if left > 0 {
		return nil
	}
	return parts
}
