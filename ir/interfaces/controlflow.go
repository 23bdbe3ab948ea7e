package interfaces

import "freehold/ir"

// BranchModel is about terminators that pass operands to the arguments of
// successor blocks.
type BranchModel interface {
	// SuccessorOperands returns the position and number of the operands that are
	// passed to the last arguments of successor i. The first produced arguments are
	// made by the operation itself.
	SuccessorOperands(op *ir.Op, i int) (start, n, produced int)
	// SetSuccessorOperands replaces the operands that are passed to successor i.
	SetSuccessorOperands(op *ir.Op, i int, values []*ir.Value)
	// TakenSuccessor returns the number of the successor that is taken for constant
	// operands (nil where unknown), or -1.
	TakenSuccessor(op *ir.Op, operands []ir.Attribute) int
}

// Branch is implemented by terminators with successors.
var Branch = ir.NewVerifiedInterface[BranchModel]("BranchOpInterface", verifyBranch, nil)

// RegionPoint is a point of control flow at a region operation: before and after
// the operation itself (Region nil), or the entry or exit of a region.
type RegionPoint struct{ Region *ir.Region }

// ParentPoint is the operation itself.
var ParentPoint = RegionPoint{}

// RegionSuccessor is where control may go, with the values that receive what is
// passed: block arguments of a region, or results of the operation (Region nil).
type RegionSuccessor struct {
	Region *ir.Region
	Inputs []*ir.Value
}

// RegionBranchModel is about operations that pass control and values between
// themselves and their regions.
type RegionBranchModel interface {
	// Successors lists where control may go from a point: from the operation itself
	// (ParentPoint: which regions are entered, or the operation is left), or from the
	// end of a region.
	Successors(op *ir.Op, from RegionPoint) []RegionSuccessor
	// EntryOperands returns position and number of the operands that are passed when
	// control goes from the operation to the successor.
	EntryOperands(op *ir.Op, to RegionPoint) (start, n int)
}

// RegionBranch is implemented by structured control flow.
var RegionBranch = ir.NewVerifiedInterface[RegionBranchModel]("RegionBranchOpInterface", nil, verifyRegionBranch)

// RegionTerminatorModel returns position and number of the terminator's operands
// that are passed on to the given successor of its region.
type RegionTerminatorModel func(op *ir.Op, to RegionPoint) (start, n int)

// RegionBranchTerminator is implemented by terminators of region branch
// operations. A terminator with TraitReturnLike and no model passes all operands.
var RegionBranchTerminator = ir.NewInterface[RegionTerminatorModel]("RegionBranchTerminatorOpInterface")

// IsRegionTerminator tells whether op passes operands on as a terminator of a
// region.
func IsRegionTerminator(op *ir.Op) bool {
	_, ok := RegionBranchTerminator.Of(op)
	return ok || op.Has(ir.TraitReturnLike)
}

// TerminatorOperands returns position and number of the operands that a region
// terminator passes on.
func TerminatorOperands(op *ir.Op, to RegionPoint) (start, n int) {
	if m, ok := RegionBranchTerminator.Of(op); ok {
		return m(op, to)
	}
	return 0, op.NumOperands()
}

// ForEachRegionEdge calls fn for each edge of control flow into, between and out of the regions
// of an operation, with the operands that are passed along it and what receives them. It is
// linear in the number of edges.
func ForEachRegionEdge(op *ir.Op, m RegionBranchModel, fn func(operands ir.Operands, inputs []*ir.Value)) {
	for _, s := range m.Successors(op, ParentPoint) {
		start, n := m.EntryOperands(op, RegionPoint{Region: s.Region})
		fn(op.Operands()[start:start+n], s.Inputs)
	}
	for _, r := range op.Regions() {
		for _, s := range m.Successors(op, RegionPoint{Region: r}) {
			for b := range r.Blocks() {
				if t := b.Last(); t != nil && IsRegionTerminator(t) {
					start, n := TerminatorOperands(t, RegionPoint{Region: s.Region})
					fn(t.Operands()[start:start+n], s.Inputs)
				}
			}
		}
	}
}

// LoopModel is about loops. Iteration arguments, initial values, yielded values and
// Results correspond one to one.
type LoopModel interface {
	// Regions returns the loop's body regions.
	Regions(op *ir.Op) []*ir.Region
	// Inits returns position and number of the operands that start the iteration.
	Inits(op *ir.Op) (start, n int)
	// IterArgs returns the block arguments that carry values over iterations.
	IterArgs(op *ir.Op) []*ir.Value
	// Yielded returns the terminator operands that the next iteration gets, or nil.
	Yielded(op *ir.Op) ir.Operands
	// Results returns the results that are the iteration arguments' last values; nil if
	// results are something else.
	Results(op *ir.Op) ir.Results
	// AddInits replaces the loop with one that has further inits with yielded values
	// computed by yield (given a builder at the end of the body and the new arguments),
	// and returns it; nil if the loop can't.
	AddInits(b *ir.Builder, op *ir.Op, inits []*ir.Value, yield func(b *ir.Builder, args []*ir.Value) []*ir.Value) *ir.Op
}

// ReplaceLoop replaces a loop of one block by n, which has further inits and an empty block
// that ends with a terminator: n gets what is in the block, and yields what yield returns
// for its further arguments. It returns n.
func ReplaceLoop(b *ir.Builder, op, n *ir.Op, yield func(*ir.Builder, []*ir.Value) []*ir.Value) *ir.Op {
	n.SetLoc(op.Loc())
	for _, a := range op.DiscardableAttrs() {
		n.SetDiscardableAttr(a.Name, a.Value)
	}
	old, body := op.BodyBlock(0), n.BodyBlock(0)
	for i, a := range old.Args() {
		a.ReplaceAllUsesWith(body.Arg(i))
	}
	body.TakeOps(old, old.First())
	b.SetBefore(body.Last())
	values := yield(b, body.Args()[old.NumArgs():])
	y := body.Last()
	y.InsertOperands(y.NumOperands(), values...)
	op.ReplaceAllUsesWith(n.Results().Values()[:op.NumResults()])
	op.Erase()
	return n
}

// LoopLike is implemented by loops.
var LoopLike = ir.NewVerifiedInterface[LoopModel]("LoopLikeOpInterface", nil, verifyLoop)

// InLoop tells whether an operation is in a loop that is an operation, and so may be executed often.
func InLoop(op *ir.Op) bool {
	for p := op.Parent(); p != nil; p = p.Parent() {
		if LoopLike.Has(p) {
			return true
		}
	}
	return false
}

// EntryCondition is implemented by operations that enter their first region if and only if a truth value holds, which it returns.
var EntryCondition = ir.NewInterface[func(op *ir.Op) *ir.Value]("EntryCondition")

// TripCount is implemented by loops that can tell how often their body is executed each time the loop is, if that is known.
var TripCount = ir.NewInterface[func(op *ir.Op) (n int64, known bool)]("TripCount")
