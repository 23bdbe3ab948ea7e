package hlo

import (
	"errors"

	"freehold/dialect/affine"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// CapturingBranch is implemented by operations that execute one of their regions, once.
// Such a region may free a buffer of a block around it, if the others pass it on.
var CapturingBranch = ir.NewInterface[struct{}]("CapturingBranch")

// HoistableRegions is implemented by operations whose regions are executed one at a time,
// so that what they allocate and free themselves can be allocated around the operation.
var HoistableRegions = ir.NewInterface[struct{}]("HoistableRegions")

// Attach attaches what the family knows about the operations of other dialects.
func Attach(c *ir.Context) {
	c.Attach(scf.If, CapturingBranch.Model(struct{}{}))
	for _, id := range []*ir.OpID{scf.For, scf.While, scf.If, scf.ExecuteRegion, scf.IndexSwitch, affine.For, affine.If} {
		c.Attach(id, HoistableRegions.Model(struct{}{}))
	}
	for _, id := range []*ir.OpID{scf.For, affine.For} {
		c.Attach(id, CarriedBuffers.Model(carryInLoop))
	}
	c.Attach(scf.While, CarriedBuffers.Model(carryInWhile))
}

// attached tells whether a context has what [Attach] attaches. Without it, regions would be taken for such as nothing is
// known about, and programs would be another one's.
func attached(c *ir.Context) error {
	if name := c.OpName("scf.if"); name != nil {
		if _, ok := CapturingBranch.OfName(name); !ok {
			return errors.New("the models of package transform/deallocate/hlo are not attached to the context: call transform.Attach with it before the first program is made")
		}
	}
	return nil
}

// carryInLoop adds a buffer to a loop with one region.
func carryInLoop(b *ir.Builder, loop *ir.Op, _ int, init *ir.Value, build func(arg *ir.Value) *ir.Value) *ir.Op {
	m, _ := interfaces.LoopLike.Of(loop)
	return m.AddInits(b, loop, []*ir.Value{init}, func(_ *ir.Builder, args []*ir.Value) []*ir.Value {
		return []*ir.Value{build(args[0])}
	})
}

// carryInWhile adds a buffer to a scf.while, whose first region decides whether the second
// one comes next, or the end.
func carryInWhile(b *ir.Builder, loop *ir.Op, region int, init *ir.Value, build func(arg *ir.Value) *ir.Value) *ir.Op {
	n := scf.WhileOp{Op: rebuild(b, loop, append(loop.Operands().Values(), init), append(loop.Results().Types(), init.Type()))}
	before := n.Before().AddArg(init.Type(), init.Loc())
	after := n.After().AddArg(init.Type(), init.Loc())
	passed, yielded := before, after
	if region == 0 {
		passed = build(before)
	} else {
		yielded = build(after)
	}
	cond := n.Condition()
	cond.InsertOperands(cond.NumOperands(), passed)
	y := n.Yield()
	y.InsertOperands(y.NumOperands(), yielded)
	return n.Op
}
