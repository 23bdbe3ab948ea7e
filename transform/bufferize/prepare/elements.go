package prepare

import (
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	genericlinalg "freehold/transform/generic/linalg"
)

// readElements lets operations that change an argument element by element, such as the update of a weight, read it, and make a new tensor. The argument may not be written: it would be copied first,
// and what else the operation reads be kept beside the copy, where it can work now.
func readElements(b *ir.Builder, arg *ir.Value) {
	r := rewrite.NewRewriter(b.Context())
	for _, u := range arg.Uses() {
		op := u.Owner()
		if !changesElements(op, u) {
			continue
		}
		next := op.Next()
		if !genericlinalg.ReadInitsAsInputs(r, op) {
			continue
		}
		// In a loop, the room is needed in the iteration: there it can be that of what the loop carries.
		reads := next.Prev()
		if room := interfaces.DpsInits(reads).At(0).DefiningOp(); room != nil && room.Is(tensor.Empty) && room.Result(0).HasOneUse() {
			room.MoveBefore(reads)
		}
	}
}

// changesElements tells whether an operation computes each element of its only result from the one that its destination has there.
func changesElements(op *ir.Op, u *ir.Use) bool {
	if !op.Is(linalg.Generic) || !interfaces.IsInit(u) || len(interfaces.DpsInits(op)) != 1 || op.NumResults() != 1 || len(op.DiscardableAttrs()) > 0 || op.Attr("library_call") != nil {
		return false
	}
	return interfaces.AllParallel(op) && interfaces.IndexingMaps(op)[u.Index()].IsPermutation() && op.BodyBlock(0).Arg(u.Index()).HasUses()
}
