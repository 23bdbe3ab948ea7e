package schedule

import (
	"slices"

	"freehold/dialect/bufferization"
	"freehold/dialect/linalg"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
)

// storage is what will be a buffer.
type storage struct {
	// of is the tensor that it is made for.
	of *ir.Value
	// size is 0 if the block has nothing to do with it: it is an argument, a constant or another block's.
	size int64
	// maker is the number of the operation that makes it, or -1.
	maker int
	// users are the numbers of the operations that use it, in order.
	users []int
	// settled is how many of the users come before another one anyway.
	settled int
	kept    bool
	// own tells of an argument of the block, which may be written in place.
	own bool
	// bound tells that it is, or may be, in a buffer that the program has as such.
	bound bool
}

// UnknownSize is what dynamic sizes count as.
const UnknownSize = 128

// alignment is what sizes are rounded up to: that of parts of arenas.
const alignment = 16

// sizeOf returns how many bytes a tensor is taken to need.
func sizeOf(t ir.Type) int64 {
	n, known := footprint.StaticSize(t)
	if !known {
		s := footprint.SizeOfType(t, func(int) string { return "" })
		n = s.Bytes
		for _, term := range s.Terms {
			x := term.Bytes
			for range term.Sizes {
				x = min(x*UnknownSize, largest)
			}
			n += x
		}
	}
	return min((n+alignment-1)/alignment*alignment, largest)
}

// SizeOfRow returns how many bytes a slice of a tensor along a dimension is taken to need, or all of it if that is -1, without alignment.
func SizeOfRow(t *ir.RankedTensorType, dim int) int64 {
	n := max(1, ir.StorageBytes(t.Elem))
	for i, d := range t.Shape {
		if d == ir.Dynamic {
			d = UnknownSize
		}
		if i != dim {
			n = min(n*d, largest)
		}
	}
	return n
}

// largest is the largest size of one tensor that counts, so that sums don't overflow.
const largest = 1 << 40

// storages returns what a tensor may be in, by number; what isn't known yet comes from outside of the block.
func (g *grapher) storages(v *ir.Value) []int {
	list, known := g.of[v]
	if !known {
		list = []int{g.add(storage{maker: -1, own: v.ParentBlock() == g.block && mayBeWritten(v), bound: g.boundOutside(v)})}
		g.of[v] = list
	}
	return list
}

// mayBeWritten tells whether the program lets an argument be written.
func mayBeWritten(arg *ir.Value) bool {
	fn := interfaces.OwnerOf(arg)
	if fn == nil || !interfaces.Function.Has(fn) {
		return true
	}
	w, said := interfaces.ArgAttr(fn, arg.Index(), bufferization.WritableAttr).(*ir.IntegerAttr)
	return !said || w.Value != 0
}

// boundOutside tells whether a tensor that the block gets may be in a buffer of the program.
func (g *grapher) boundOutside(v *ir.Value) bool {
	op := v.DefiningOp()
	return op != nil && touchesBuffers(op)
}

// touchesBuffers tells whether an operation has a buffer as operand or result.
func touchesBuffers(op *ir.Op) bool {
	return slices.ContainsFunc(op.Operands().Values(), func(v *ir.Value) bool { return interfaces.IsBufferLike(v.Type()) }) ||
		slices.ContainsFunc(op.Results().Values(), func(v *ir.Value) bool { return interfaces.IsBufferLike(v.Type()) })
}

// add adds a storage, and returns its number.
func (g *grapher) add(s storage) int {
	g.all = append(g.all, s)
	return len(g.all) - 1
}

// mostTurned bounds how many operations a block may have in which tensors that are only turned count as views. In a decoder of 32 layers this leaves a tenth between the peak and the bound of
// all orders, which is searched for in vain, and longer (0.35 s) than all else takes.
const mostTurned = 2048

// turned returns the tensor that an operation only has with its dimensions in another order, if all that use the result read it as operations on elements do: then it becomes a view of that one. Nil if
// it isn't so.
func turned(op *ir.Op) *ir.Value {
	input, init, ok := linalg.InputAndInit(op)
	maps := interfaces.IndexingMaps(op)
	if !ok || len(maps) != 2 || maps[0] == maps[1] || op.NumRegions() != 1 || !maps[0].IsPermutation() || !maps[1].IsPermutation() || !footprint.IsPlace(init) {
		return nil
	}
	if body := op.BodyBlock(0); body == nil || body.First() != body.Last() || body.Last().OnlyOperand() != body.Arg(0) {
		return nil
	}
	if !isReadByElement(op.Result(0), op.Block()) {
		return nil
	}
	return input
}

// isReadByElement tells whether all that use a tensor, or a part of it or the same with more dimensions, are operations of a block that read it element by element.
func isReadByElement(v *ir.Value, block *ir.Block) bool {
	for u := v.FirstUse(); u != nil; u = u.Next() {
		op := u.Owner()
		if op.Block() == block && (interfaces.SubsetExtraction.Has(op) || isExpansion(op)) {
			if !isReadByElement(op.Result(0), block) {
				return false
			}
		} else if !interfaces.Structured.Has(op) || interfaces.IsInit(u) || op.Block() != block {
			return false
		}
	}
	return true
}

// isExpansion tells whether an operation has a tensor with more dimensions, as which any layout can be seen.
func isExpansion(op *ir.Op) bool {
	if !isView(op) || op.Attr(interfaces.ReassociationAttr) == nil {
		return false
	}
	more, _ := ir.ShapeOf(op.Result(0).Type())
	less, _ := ir.ShapeOf(op.Operand(0).Type())
	return len(more) > len(less)
}

// isView tells whether the results of an operation are in the storage of its operands, or a part of it.
func isView(op *ir.Op) bool {
	isTensor := func(v *ir.Value) bool { return ir.IsTensor(v.Type()) }
	if op.NumRegions() > 0 || interfaces.Call.Has(op) || interfaces.DestinationStyle.Has(op) || !slices.ContainsFunc(op.Results().Values(), isTensor) {
		return false
	}
	if interfaces.SubsetExtraction.Has(op) || interfaces.IsCast(op) {
		return true
	}
	m, ok := interfaces.Bufferizable.Of(op)
	if !ok || !slices.ContainsFunc(op.Operands().Values(), isTensor) {
		return false
	}
	return !slices.ContainsFunc(op.Results().Values(), func(v *ir.Value) bool { return isTensor(v) && m.Allocates(v) })
}
