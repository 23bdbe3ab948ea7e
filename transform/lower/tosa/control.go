package tosa

import (
	"freehold/dialect/arith"
	"freehold/dialect/scf"
	"freehold/dialect/tensor"
	"freehold/dialect/tosa"
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// ControlPatterns returns the patterns of tosa-to-scf.
func ControlPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "IfOpConverter", Root: tosa.CondIf, Rewrite: condToIf},
		{Name: "ScatterOpConverter", Root: tosa.Scatter, Rewrite: scatterToLoops},
		{Name: "WhileOpConverter", Root: tosa.WhileLoop, Rewrite: whileToWhile},
	}
}

// ToSCF replaces conditionals, loops and tosa.scatter in op by control flow of scf. It is
// tosa-to-scf, and an error if one can't be replaced. Linear time.
func ToSCF(op *ir.Op, patterns *rewrite.PatternSet, report func(*ir.Diagnostic)) error {
	t := conversion.NewTarget()
	t.LegalDialects("tensor", "scf")
	t.Illegal(tosa.CondIf, tosa.Scatter, tosa.WhileLoop)
	t.DynamicOthers(func(*ir.Op) conversion.Legality { return conversion.Legal })
	return conversion.Partial(op, t, patterns, conversion.Config{Report: report})
}

// condToIf reads the condition. The branches take the inputs themselves.
func condToIf(r *rewrite.Rewriter, op *ir.Op) bool {
	cond := ranked(tosa.CondIfOp{Op: op}.Cond().Type())
	if cond == nil || len(cond.Shape) > 0 {
		return false
	}
	inputs := op.Operands().Values()[1:]
	for _, reg := range op.Regions() {
		if n := reg.Entry().NumArgs(); n != 0 && n != len(inputs) || !endsWithYield(reg, op.Results().Types()) {
			return false
		}
	}
	b := r.Builder
	b.Loc = op.Loc()
	holds := tensor.NewExtract(b, tosa.CondIfOp{Op: op}.Cond())
	branch := scf.NewIf(b, holds, op.Results().Types(), nil, nil)
	for i, reg := range op.Regions() {
		to := branch.RegionAt(i)
		var values []*ir.Value
		if reg.Entry().NumArgs() > 0 {
			values = inputs
		}
		if !to.Empty() {
			r.EraseBlock(to.Entry())
		}
		body := r.CreateBlock(to, nil)
		moveBody(r, reg, body, values, func(yield *ir.Op) {
			scf.NewYield(r.Builder, yield.Operands().Values()...)
		})
	}
	r.Replace(op, branch.Results().Values()...)
	return true
}

// endsWithYield tells whether a region's only block ends with a tosa.yield of the types.
func endsWithYield(reg *ir.Region, types []ir.Type) bool {
	t := reg.Entry().Last()
	if t == nil || !t.Is(tosa.Yield) || t.NumOperands() != len(types) {
		return false
	}
	for i, want := range types {
		if t.Operand(i).Type() != want {
			return false
		}
	}
	return true
}

// moveBody moves the only block of a region into another block, with values for its arguments, and
// replaces its terminator.
func moveBody(r *rewrite.Rewriter, from *ir.Region, to *ir.Block, values []*ir.Value, end func(yield *ir.Op)) {
	yield := from.Entry().Last()
	r.MergeBlocks(from.Entry(), to, values)
	r.SetBefore(yield)
	r.Loc = yield.Loc()
	end(yield)
	r.Erase(yield)
}

func whileToWhile(r *rewrite.Rewriter, op *ir.Op) bool {
	types := op.Results().Types()
	cond, body := op.RegionAt(0), op.RegionAt(1)
	if len(types) != op.NumOperands() || cond.Entry().NumArgs() != len(types) || body.Entry().NumArgs() != len(types) ||
		!endsWithYield(body, op.Operands().Types()) {
		return false
	}
	test := cond.Entry().Last()
	if test == nil || !test.Is(tosa.Yield) || test.OnlyOperand() == nil {
		return false
	}
	if t := ranked(test.OnlyOperand().Type()); t == nil || len(t.Shape) > 0 {
		return false
	}
	for i, t := range types {
		if op.Operand(i).Type() != t {
			return false
		}
	}
	r.Loc = op.Loc()
	loop := scf.NewWhile(r.Builder, types, op.Operands().Values())
	moveBody(r, cond, loop.Before(), loop.Before().Args(), func(yield *ir.Op) {
		holds := tensor.NewExtract(r.Builder, yield.OnlyOperand())
		scf.NewCondition(r.Builder, holds, loop.Before().Args()...)
	})
	moveBody(r, body, loop.After(), loop.After().Args(), func(yield *ir.Op) {
		scf.NewYield(r.Builder, yield.Operands().Values()...)
	})
	r.Replace(op, loop.Results().Values()...)
	return true
}

// scatterToLoops inserts one row after the other.
func scatterToLoops(r *rewrite.Rewriter, op *ir.Op) bool {
	values, rows, input := tosa.ScatterOp{Op: op}.ValuesIn(), tosa.ScatterOp{Op: op}.Indices(), tosa.ScatterOp{Op: op}.Input()
	in := ranked(input.Type())
	if in == nil || ranked(rows.Type()) == nil || ranked(values.Type()) == nil || values.Type() != op.Result(0).Type() {
		return false
	}
	b := r.Builder
	b.Loc = op.Loc()
	var sizes [3]*ir.Value
	for i := range sizes {
		at := arith.ConstantIndex(b, int64(i))
		sizes[i] = orFold(b, tensor.Dim, input, at)
	}
	none, one := arith.ConstantIndex(b, 0), arith.ConstantIndex(b, 1)
	list := func(v ...*ir.Value) []shapes.OpFoldResult {
		out := make([]shapes.OpFoldResult, len(v))
		for i := range v {
			out[i] = shapes.SizeOf(v[i])
		}
		return out
	}
	outer := scf.NewFor(b, none, sizes[0], one, []*ir.Value{values}, func(b *ir.Builder, batch *ir.Value, args []*ir.Value) []*ir.Value {
		inner := scf.NewFor(b, none, sizes[1], one, args, func(b *ir.Builder, i *ir.Value, args []*ir.Value) []*ir.Value {
			row := arith.NewCast(b, arith.IndexCast, ir.Index, tensor.NewExtract(b, rows, batch, i))
			extent, strides := list(one, one, sizes[2]), list(one, one, one)
			from := tensor.NewExtractSlice(b, nil, input, shapes.Slice{Offsets: list(batch, i, none), Sizes: extent, Strides: strides})
			return []*ir.Value{tensor.NewInsertSlice(b, from, args[0], shapes.Slice{Offsets: list(batch, row, none), Sizes: extent, Strides: strides})}
		})
		return inner.Results().Values()
	})
	r.Replace(op, outer.Result(0))
	return true
}
