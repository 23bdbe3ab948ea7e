package core

import (
	"freehold/dialect/arith"
	"freehold/dialect/bufferization"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
	"freehold/transform/deallocate/ownership"
)

// LowerBufferization replaces the operations of bufferization in op by those of memref.
// Tensors must be gone. If op is a module, a function that deallocations call may be
// added to it; report is told why they can't be lowered otherwise.
func LowerBufferization(op *ir.Op, report func(*ir.Diagnostic)) error {
	if err := ownership.CheckAddresses(op); err != nil {
		return err
	}
	patterns, err := ownership.DeallocPatterns(op)
	if err != nil {
		return err
	}
	patterns = append(patterns,
		conversion.Pattern(rewrite.Pattern{Name: "CloneOpConversion", Root: bufferization.Clone}, nil, lowerClone))
	t := conversion.NewTarget()
	t.LegalDialects("memref", "arith", "scf", "func")
	t.DynamicOthers(ownership.Frees)
	t.IllegalDialects("bufferization")
	return conversion.Partial(op, t, rewrite.NewPatternSet(op.Context(), patterns), conversion.Config{Report: report})
}

// lowerClone makes an allocation of the clone's shape and a copy. A type with a layout
// that the identity can't be cast to is not possible.
func lowerClone(r *conversion.Rewriter, op *ir.Op, operands conversion.Adaptor) bool {
	source, t := operands.Operand(0), op.Result(0).Type()
	var clone *ir.Value
	if m, ok := t.(*ir.MemRefType); ok {
		if !memref.CanBeNew(r.Context(), m) {
			return false
		}
		plain := r.Context().MemRefOf(m.Shape, m.Elem, nil, m.Space)
		clone = memref.NewAlloc(r.Builder, plain, dynamicSizes(r.Builder, m, source), 0)
		if plain != m {
			clone = memref.NewCast(r.Builder, m, clone)
		}
	} else {
		clone = newUnranked(r.Builder, t.(*ir.UnrankedMemRefType), source)
	}
	memref.NewCopy(r.Builder, source, clone)
	r.Replace(op, clone)
	return true
}

// dynamicSizes returns the sizes of a buffer for the dynamic dimensions of a type.
func dynamicSizes(b *ir.Builder, t *ir.MemRefType, source *ir.Value) (out []*ir.Value) {
	for i, n := range t.Shape {
		if n != ir.Dynamic {
			continue
		}
		s := b.State(memref.Dim)
		s.Operands, s.Types = []*ir.Value{source, arith.ConstantIndex(b, int64(i))}, []ir.Type{ir.Index}
		out = append(out, rewrite.CreateOrFold(b, s)...)
	}
	return out
}

// newUnranked allocates a buffer with the shape of another one, whose rank is known only
// when the program runs.
func newUnranked(b *ir.Builder, t *ir.UnrankedMemRefType, source *ir.Value) *ir.Value {
	c := b.Context()
	zero, one := arith.ConstantIndex(b, 0), arith.ConstantIndex(b, 1)
	rank := memref.NewRank(b, source)
	shape := memref.NewAlloca(b, c.MemRef([]int64{ir.Dynamic}, ir.Index), []*ir.Value{rank}, 0)
	size := scf.NewFor(b, zero, rank, one, []*ir.Value{one}, func(b *ir.Builder, i *ir.Value, product []*ir.Value) []*ir.Value {
		n := b.CreateOp(memref.Dim, []ir.Type{ir.Index}, []*ir.Value{source, i}).Result(0)
		memref.NewStore(b, n, shape, i)
		return []*ir.Value{arith.New(b, arith.MulI, product[0], n)}
	})
	flat := memref.NewAlloc(b, c.MemRef([]int64{ir.Dynamic}, t.Elem), []*ir.Value{size.Result(0)}, 0)
	return memref.NewReshape(b, t, flat, shape)
}
