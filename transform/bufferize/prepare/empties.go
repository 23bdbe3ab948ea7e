package prepare

import (
	"slices"

	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// OwnEmptyTensors lets loops in op compute what they hand on into empty tensors of their own, if they do so into one from
// before the loop: its buffer would be that of each iteration, so that what is handed on has to be copied out of it. And it
// lets branches compute into empty tensors of their own: a buffer from before them would be there in all of them. It
// returns how many operations got one. Linear time.
func OwnEmptyTensors(op *ir.Op) (n int) {
	e := &empties{b: ir.NewBuilder(op.Context()), seen: map[*ir.Value]bool{}}
	op.Walk(func(op *ir.Op) bool {
		if m, ok := interfaces.LoopLike.Of(op); ok && slices.ContainsFunc(op.Results().Types(), ir.IsTensor) {
			for _, r := range m.Regions(op) {
				if t := r.Entry().Last(); t != nil && interfaces.IsRegionTerminator(t) {
					for _, v := range t.Operands().Values() {
						e.follow(v, op)
					}
				}
			}
		}
		if start, n := inits(op); n > 0 {
			for i := start; i < start+n; i++ {
				if u := op.OperandUse(i); isBeforeBranch(u) {
					e.own(u)
				}
			}
		}
		return true
	})
	return e.n
}

// inits returns where the operands are that an operation computes into, and how many.
func inits(op *ir.Op) (start, n int) {
	if m, ok := interfaces.DestinationStyle.Of(op); ok {
		return m(op)
	}
	return 0, 0
}

// isBeforeBranch tells whether an operand is an empty tensor from outside the branches, and of no loop, that its operation is in.
func isBeforeBranch(u *ir.Use) bool {
	empty := u.Value().DefiningOp()
	if empty == nil || !empty.Is(tensor.Empty) {
		return false
	}
	branches := 0
	for op := u.Owner(); op.Region() != empty.Region(); branches++ {
		op = op.Parent()
		_, branch := interfaces.RegionBranch.Of(op)
		if !branch || interfaces.LoopLike.Has(op) {
			return false
		}
	}
	return branches > 0
}

// own gives an operation an empty tensor of its own.
func (e *empties) own(u *ir.Use) {
	empty := u.Value().DefiningOp()
	e.b.SetBefore(u.Owner())
	u.Set(e.b.Clone(empty, ir.NewMapping()).Result(0))
	if empty.Result(0).FirstUse() == nil {
		empty.Erase()
	}
	e.n++
}

// empties gives operations in loops empty tensors.
type empties struct {
	b    *ir.Builder
	seen map[*ir.Value]bool
	n    int
}

// follow goes back from what is handed on to where it is computed, in a loop.
func (e *empties) follow(v *ir.Value, loop *ir.Op) {
	for ir.IsTensor(v.Type()) && !e.seen[v] {
		e.seen[v] = true
		def := v.DefiningOp()
		if def == nil || !loop.IsProperAncestorOf(def) {
			return
		}
		_, inner := interfaces.LoopLike.Of(def)
		if interfaces.RegionBranch.Has(def) && !inner {
			for _, r := range def.Regions() {
				for b := range r.Blocks() {
					if t := b.Last(); t != nil && interfaces.IsRegionTerminator(t) && v.Index() < t.NumOperands() {
						e.follow(t.Operand(v.Index()), loop)
					}
				}
			}
			return
		}
		u := destinationOf(v)
		if u == nil {
			return
		}
		v = u.Value()
		if empty := v.DefiningOp(); empty != nil && empty.Is(tensor.Empty) && !loop.IsProperAncestorOf(empty) {
			e.own(u)
			return
		}
	}
}

// destinationOf returns the operand that an operation computes a value into, or that a loop starts with for it; nil if there
// is none.
func destinationOf(v *ir.Value) *ir.Use {
	op := v.DefiningOp()
	if l, ok := interfaces.LoopLike.Of(op); ok {
		if start, n := l.Inits(op); len(l.Results(op)) > 0 && v.Index() < n {
			return op.OperandUse(start + v.Index())
		}
		return nil
	}
	start, n := inits(op)
	for i := start; i < start+n; i++ {
		if u := op.OperandUse(i); interfaces.TiedResult(u) == v {
			return u
		}
	}
	return nil
}
