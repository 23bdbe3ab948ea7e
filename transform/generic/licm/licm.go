// Package licm moves code that computes the same in each iteration out of loops.
package licm

import (
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/pass"
)

// Run moves loop-invariant operations without memory effects out of the loops in
// op, inner loops first, and returns how many it moved. Linear time for each level
// of nesting.
func Run(op *ir.Op) int {
	moved := 0
	op.WalkPostOrder(func(o *ir.Op) {
		if m, ok := interfaces.LoopLike.Of(o); ok {
			for _, r := range m.Regions(o) {
				moved += hoist(o, r)
			}
		}
	})
	return moved
}

// hoist moves operations out of one region of a loop.
func hoist(loop *ir.Op, r *ir.Region) int {
	var work []*ir.Op
	for b := range r.Blocks() {
		for o := range b.Ops() {
			work = append(work, o)
		}
	}
	moved := 0
	for i := 0; i < len(work); i++ {
		o := work[i]
		if o.Region() != r || !Invariant(o, r) || !interfaces.IsPure(o) {
			continue
		}
		o.MoveBefore(loop)
		moved++
		for j := range o.NumResults() {
			for u := o.Result(j).FirstUse(); u != nil; u = u.Next() {
				if u.Owner().Region() == r {
					work = append(work, u.Owner())
				}
			}
		}
	}
	return moved
}

// Invariant tells whether op, which is no terminator, and what is nested in it use
// only values from outside of the region, or from op itself.
func Invariant(op *ir.Op, r *ir.Region) bool {
	if op.Has(ir.TraitTerminator) {
		return false
	}
	ok := true
	op.Walk(func(o *ir.Op) bool {
		for i := range o.NumOperands() {
			v := o.Operand(i)
			def := v.ParentRegion()
			if r.IsAncestorOf(def) && (o == op || !definedIn(v, op)) {
				ok = false
			}
		}
		return ok
	})
	return ok
}

func definedIn(v *ir.Value, op *ir.Op) bool {
	b := v.ParentBlock()
	return b != nil && b.ParentOp() != nil && op.IsAncestorOf(b.ParentOp())
}

// Pass is --loop-invariant-code-motion.
var Pass = pass.New(pass.Info{
	Name: "loop-invariant-code-motion", Title: "LoopInvariantCodeMotion",
	Summary: "Move what is the same in each iteration to before the loop",
	Description: `Moves operations that have no memory effects, may be speculated and use only values
from outside of the loop to before the loop; from inner loops to outer ones. They are then executed even if the loop has
no iterations. Linear time for each level of nesting.`,
}, nil, pass.OnModule(func(_ *pass.Context, _ *pass.None, op *ir.Op) error {
	Run(op)
	return nil
}))

// Register adds the passes.
func Register(r *pass.Registry) { r.Register(Pass, SubsetPass) }
