package core

import (
	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// atomicFloats are the operations that combine two numbers in an atomic_rmw that has no instruction.
var atomicFloats = map[string]*ir.OpID{"maximumf": arith.MaximumF, "maxnumf": arith.MaxNumF, "minimumf": arith.MinimumF, "minnumf": arith.MinNumF}

// atomicFloatsUntil is the last version of LLVM that has no instructions for them.
const atomicFloatsUntil = 21

// MemRefExpandPatterns returns the patterns that replace operations of memref that have no counterpart in LLVM by others.
func MemRefExpandPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "AtomicRMWOpConverter", Until: atomicFloatsUntil, Root: memref.AtomicRMW, Rewrite: expandAtomic},
		{Name: "MemRefReshapeOpConverter", Until: 21, Root: memref.Reshape, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			return expandReshape(r, op, shapes.SizeOf(arith.ConstantIndex(r.At(op), 1)))
		}},
		{Name: "MemRefReshapeOpConverter", Since: 22, Root: memref.Reshape, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			return expandReshape(r, op, shapes.ConstSize(1))
		}},
	}
}

// MemRefExpand converts op with the patterns.
func MemRefExpand(op *ir.Op, patterns *rewrite.PatternSet, report func(*ir.Diagnostic)) error {
	t := conversion.NewTarget()
	t.LegalDialects("arith", "memref")
	t.Dynamic(func(op *ir.Op) conversion.Legality {
		return conversion.Legalized(op.Context().LLVM() > atomicFloatsUntil || atomicFloats[memref.AtomicRMWOp{Op: op}.Kind()] == nil || op.HasUses())
	}, memref.AtomicRMW)
	t.Dynamic(func(op *ir.Op) conversion.Legality {
		shape, _ := ir.ShapeOf(memref.ReshapeOp{Op: op}.Shape().Type())
		return conversion.Legalized(!ir.IsStaticShape(shape))
	}, memref.Reshape)
	return conversion.Partial(op, t, patterns, conversion.Config{Report: report})
}

// expandAtomic lets a region compute the new element. It returns that, and not the old one, so that nothing may use
// the result.
func expandAtomic(r *rewrite.Rewriter, op *ir.Op) bool {
	o := memref.AtomicRMWOp{Op: op}
	id := atomicFloats[o.Kind()]
	if id == nil || op.HasUses() {
		return false
	}
	b := r.Builder
	b.Loc = op.Loc()
	s := b.State(memref.GenericAtomicRMW)
	s.Operands = append([]*ir.Value{o.MemRef()}, op.Operands()[2:].Values()...)
	s.Types = []ir.Type{op.Result(0).Type()}
	body := s.AddRegion().AddBlock(op.Result(0).Type())
	generic := b.Create(s)
	b.SetEnd(body)
	b.CreateOp(memref.AtomicYield, nil, []*ir.Value{arith.New(b, id, body.Arg(0), o.Value())})
	r.Replace(op, generic.Results().Values()...)
	return true
}

// expandReshape reads the sizes, and casts the buffer to those with the strides that they make. The last stride is 1, as a constant or a
// value; so are strides that are products of constants with the former.
func expandReshape(r *rewrite.Rewriter, op *ir.Op, stride shapes.OpFoldResult) bool {
	t, ok := op.Result(0).Type().(*ir.MemRefType)
	shape, sizes := memref.ReshapeOp{Op: op}.Shape(), ir.ElementType(memref.ReshapeOp{Op: op}.Shape().Type())
	if !ok {
		return false
	}
	b := r.Builder
	b.Loc = op.Loc()
	rank := len(t.Shape)
	s := shapes.Slice{Offsets: []shapes.OpFoldResult{shapes.ConstSize(0)}, Sizes: make([]shapes.OpFoldResult, rank), Strides: make([]shapes.OpFoldResult, rank)}
	for d := rank - 1; d >= 0; d-- {
		var size *ir.Value
		if n := t.Shape[d]; n != ir.Dynamic {
			size = arith.ConstantIndex(b, n)
			s.Sizes[d] = shapes.ConstSize(n)
		} else {
			size = memref.NewLoad(b, shape, arith.ConstantIndex(b, int64(d)))
			if sizes != ir.Type(ir.Index) {
				size = arith.NewCast(b, arith.IndexCast, ir.Index, size)
			}
			s.Sizes[d] = shapes.SizeOf(size)
		}
		s.Strides[d] = stride
		switch {
		case d == 0:
		case stride.Value == nil && t.Shape[d] != ir.Dynamic:
			stride.Const *= t.Shape[d]
		default:
			stride = shapes.SizeOf(arith.New(b, arith.MulI, arith.ValueOf(b, stride), size))
		}
	}
	r.Replace(op, memref.NewReinterpretCast(b, t, memref.ReshapeOp{Op: op}.Source(), s))
	return true
}
