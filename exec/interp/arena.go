package interp

import (
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// arenaSteps limits the execution of what tells the size of an arena.
const arenaSteps = 1 << 20

// Arena returns memory for argument i of a function, if that is an arena whose size another function tells ([memref.ArenaSizeAttr]) for the arguments before it.
// Its elements are zero. It is false for other arguments. The error tells why the size isn't known, or, a *[TooLargeError], that it is above a limit.
func Arena(fn *ir.Op, i int, args []Value, limit int64) (v Value, ok bool, err error) {
	ref, ok := interfaces.ArgAttr(fn, i, memref.ArenaSizeAttr).(*ir.SymbolRefAttr)
	if !ok {
		return v, false, nil
	}
	size := ir.LookupSymbol(fn, ref)
	if size == nil || !interfaces.Function.Has(size) || size.NumRegions() == 0 || size.RegionAt(0).Empty() {
		return v, true, ir.Errorf(fn.Loc(), "there is no function %s with a body, which tells the size of argument %d", ref, i)
	}
	module := fn
	for module.Parent() != nil {
		module = module.Parent()
	}
	got, err := Run(module, size, args[:min(i, len(args))], Options{MaxSteps: arenaSteps})
	if err != nil {
		return v, true, err
	}
	if f := got.Stopped(); f != nil {
		return v, true, f
	}
	if len(got.Values) != 1 || got.Values[0].Type != ir.Type(ir.Index) {
		return v, true, ir.Errorf(size.Loc(), "it returns no size")
	}
	n := int64(got.Values[0].Word)
	t := fn.BodyBlock(0).Arg(i).Type()
	if shape, ranked := ir.ShapeOf(t); !ranked || len(shape) != 1 || n < 0 {
		return v, true, ir.Errorf(fn.BodyBlock(0).Arg(i).Loc(), "%d is no size of a %s", n, t)
	}
	if err := tooLarge(fn, n, limit); err != nil {
		return v, true, err
	}
	v, err = Random(t, []int64{n}, nil)
	return v, true, err
}
