package prepare

import (
	"slices"

	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// readElements lets operations that change an argument element by element, such as the update of a weight, read it, and make a new tensor. The argument may not be written: it would be copied first,
// and what else the operation reads be kept beside the copy, where it can work now.
func readElements(b *ir.Builder, arg *ir.Value) {
	for _, u := range arg.Uses() {
		if op := u.Owner(); changesElements(op, u) {
			readInit(b, op)
		}
	}
}

// changesElements tells whether an operation computes each element of its only result from the one that its destination has there.
func changesElements(op *ir.Op, u *ir.Use) bool {
	if !op.Is(linalg.Generic) || !interfaces.IsInit(u) || len(interfaces.DpsInits(op)) != 1 || op.NumResults() != 1 || len(op.DiscardableAttrs()) > 0 || op.Attr("library_call") != nil {
		return false
	}
	parallel := !slices.ContainsFunc(interfaces.Iterators(op), func(i interfaces.Iterator) bool { return i != interfaces.Parallel })
	return parallel && interfaces.IndexingMaps(op)[u.Index()].IsPermutation() && op.BodyBlock(0).Arg(u.Index()).HasUses()
}

// readInit lets an operation read its destination as an input, and write to an empty tensor.
func readInit(b *ir.Builder, op *ir.Op) {
	init := interfaces.DpsInits(op)[0]
	b.SetBefore(op)
	b.Loc = op.Loc()
	t := init.Value().Type().(*ir.RankedTensorType)
	into := tensor.NewEmpty(b, tensor.MixedSizes(b, init.Value()), t.Elem, t.Encoding)
	inputs := append(slices.Clone(interfaces.DpsInputs(op).Values()), init.Value())
	maps := interfaces.IndexingMaps(op)
	made := linalg.NewGenericWithoutBody(b, inputs, []*ir.Value{into}, append(slices.Clone(maps), maps[init.Index()]), interfaces.Iterators(op))
	made.RegionAt(0).TakeBody(op.RegionAt(0))
	made.BodyBlock(0).AddArg(ir.ElementType(into.Type()), op.Loc())
	op.ReplaceAllUsesWith(made.Results().Values())
	op.Erase()
}
