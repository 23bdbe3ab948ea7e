package linalg

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// shapedOperand is what linalg.map and its relatives work on.
var shapedOperand = ir.TypeConstraint{
	Summary: "memref of any type values or ranked tensor of any type values",
	Match: func(t ir.Type) bool {
		return constraint.AnyMemRef.Match(t) || constraint.AnyRankedTensor.Match(t)
	},
}

func tensorResults(name string) []ir.ResultDef {
	return []ir.ResultDef{{Name: name, Type: constraint.AnyTensor, Arity: ir.Variadic}}
}

// lastOperand is the destination of operations with one init.
func lastOperand(op *ir.Op) (start, n int) {
	if op.NumOperands() == 0 {
		return 0, 0
	}
	return op.NumOperands() - 1, 1
}

// lastHalf is the destinations of operations with as many inits as inputs.
func lastHalf(op *ir.Op) (start, n int) {
	n = op.NumOperands()
	return n / 2, n - n/2
}

func nameResult(name string) ir.Model {
	return asm.ResultNames.Model(func(op *ir.Op, suggest func(*ir.Value, string)) {
		if op.NumResults() > 0 {
			suggest(op.Result(0), name)
		}
	})
}

// structuredModel is a StructuredModel made of two functions.
type structuredModel struct {
	maps      func(op *ir.Op) []*ir.AffineMap
	iterators func(op *ir.Op) []interfaces.Iterator
}

// IndexingMaps implements interfaces.StructuredModel.
func (m structuredModel) IndexingMaps(op *ir.Op) []*ir.AffineMap { return m.maps(op) }

// Iterators implements interfaces.StructuredModel.
func (m structuredModel) Iterators(op *ir.Op) []interfaces.Iterator { return m.iterators(op) }

// Map applies its body to the elements of the inputs at each position.
var Map = ir.NewOpID("linalg.map")

func mapDef() *ir.OpDef {
	return &ir.OpDef{
		ID: Map,
		Operands: []ir.OperandDef{{Name: "inputs", Type: shapedOperand, Arity: ir.Variadic},
			{Name: "init", Type: shapedOperand}},
		Results:            tensorResults("result"),
		Regions:            []ir.RegionDef{{Name: "mapper", Sized: 1}},
		Traits:             ir.TraitSingleBlock | ir.TraitRecursiveMemoryEffects,
		ImplicitTerminator: Yield,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.ByPosition),
			interfaces.Structured.Model(interfaces.StructuredModel(structuredModel{
				func(op *ir.Op) []*ir.AffineMap {
					out := make([]*ir.AffineMap, op.NumOperands())
					id := op.Context().IdentityMap(initRank(op))
					for i := range out {
						out[i] = id
					}
					return out
				},
				parallelLoops})),
			interfaces.DestinationStyle.Model(lastOperand),
			interfaces.Bufferizable.Model(structuredBufferize{}),
			interfaces.MemoryEffects.Model(effects),
			interfaces.AccessesOperands.Model(struct{}{}),
			interfaces.ReifyShapes.Model(reifyInits),
			asm.Assembly.Model(asm.OpAssembly{Parse: parseMap, Print: printMap}),
			nameResult("mapped"),
			asm.BlockArgNames.Model(func(op *ir.Op, r *ir.Region, name func(*ir.Value, string)) { nameArgs(op, r, name, "out") }),
		},
		Later: []ir.Spelling{{Since: 22, Upgrade: takeInit, Replace: passInit}},
		Revisions: []ir.Revision{{Since: 22, Models: []ir.Model{
			asm.BlockArgNames.Model(func(op *ir.Op, r *ir.Region, name func(*ir.Value, string)) { nameArgs(op, r, name, "init") }),
		}}},
		Verify:        verifyMap,
		VerifyRegions: verifyPayload,
		VerifyAlone:   true,
	}
}

// MapOp is a linalg.map.
type MapOp struct{ StructuredOp }

// initRank returns the rank of the first init.
func initRank(op *ir.Op) int {
	if inits := interfaces.DpsInits(op); len(inits) > 0 {
		return rankOf(inits.At(0).Type())
	}
	return 0
}

func parallelLoops(op *ir.Op) []interfaces.Iterator { return make([]interfaces.Iterator, initRank(op)) }

// increasing accepts lists of dimensions in increasing order.
var increasing = ir.AttrConstraint{
	Summary:   "i64 dense array attribute should be in increasing order",
	Kind:      constraint.DenseI64Array.Kind,
	Class:     constraint.DenseI64Array.Class,
	ValueType: constraint.DenseI64Array.ValueType,
	Match: func(a ir.Attribute) bool {
		d, ok := a.(*ir.DenseArrayAttr)
		if !ok || d.Elem != ir.Type(ir.I64) {
			return false
		}
		for i := 1; i < d.Len(); i++ {
			if d.Int(i-1) >= d.Int(i) {
				return false
			}
		}
		return true
	},
}

// Reduce combines the elements of the inputs along dimensions, several tensors at
// once.
var Reduce = ir.NewOpID("linalg.reduce")

func reduceDef() *ir.OpDef {
	return &ir.OpDef{
		ID:                 Reduce,
		Operands:           []ir.OperandDef{{Name: "inputs", Type: shapedOperand, Arity: ir.Variadic}},
		Results:            tensorResults(""),
		Attrs:              []ir.AttrDef{{Name: dimensionsAttr, Type: increasing}},
		Regions:            []ir.RegionDef{{Name: "combiner", Sized: 1}},
		Traits:             ir.TraitSingleBlock | ir.TraitRecursiveMemoryEffects,
		ImplicitTerminator: Yield,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.ByPosition),
			interfaces.Structured.Model(interfaces.StructuredModel(structuredModel{reduceMaps, reduceIterators})),
			interfaces.DestinationStyle.Model(lastHalf),
			interfaces.Bufferizable.Model(structuredBufferize{}),
			interfaces.MemoryEffects.Model(effects),
			interfaces.AccessesOperands.Model(struct{}{}),
			interfaces.ReifyShapes.Model(reifyInits),
			asm.Assembly.Model(asm.OpAssembly{Parse: parseReduce, Print: printReduce}),
			nameResult("reduced"),
			asm.BlockArgNames.Model(func(op *ir.Op, r *ir.Region, name func(*ir.Value, string)) { nameArgs(op, r, name, "init") }),
		},
		Verify:        verifyReduce,
		VerifyRegions: verifyPayload,
		VerifyAlone:   true,
	}
}

const (
	dimensionsAttr  = "dimensions"
	permutationAttr = "permutation"
)

// ReduceOp is a linalg.reduce.
type ReduceOp struct{ StructuredOp }

// Dimensions returns the dimensions that are reduced, in increasing order.
func (o ReduceOp) Dimensions() []int64 { return interfaces.StaticInts(o.Op, dimensionsAttr) }

func inputRank(op *ir.Op) int {
	if op.NumOperands() == 0 {
		return 0
	}
	return rankOf(op.Operand(0).Type())
}

// without returns the dimensions below rank that the list lacks.
func without(rank int, dims []int64) []int64 {
	drop := make([]bool, rank)
	for _, d := range dims {
		if d >= 0 && d < int64(rank) {
			drop[d] = true
		}
	}
	var out []int64
	for i := range drop {
		if !drop[i] {
			out = append(out, int64(i))
		}
	}
	return out
}

// dimsMap is the map from rank dimensions to some of them.
func dimsMap(c *ir.Context, rank int, dims []int64) *ir.AffineMap {
	exprs := make([]*ir.AffineExpr, len(dims))
	for i, d := range dims {
		exprs[i] = c.AffineDim(int(d))
	}
	return c.AffineMap(rank, 0, exprs...)
}

func reduceMaps(op *ir.Op) []*ir.AffineMap {
	c, rank := op.Context(), inputRank(op)
	in, out := c.IdentityMap(rank), dimsMap(c, rank, without(rank, ReduceOp{StructuredOp{op}}.Dimensions()))
	maps := make([]*ir.AffineMap, op.NumOperands())
	for i := range maps {
		if i < len(maps)/2 {
			maps[i] = in
		} else {
			maps[i] = out
		}
	}
	return maps
}

func reduceIterators(op *ir.Op) []interfaces.Iterator {
	out := make([]interfaces.Iterator, inputRank(op))
	for _, d := range (ReduceOp{StructuredOp{op}}).Dimensions() {
		if d >= 0 && d < int64(len(out)) {
			out[d] = interfaces.Reduction
		}
	}
	return out
}

// Transpose permutes the dimensions of its input.
var Transpose = ir.NewOpID("linalg.transpose")

func transposeDef() *ir.OpDef {
	return copying(Transpose, permutationAttr, "transposed", func(op *ir.Op) []*ir.AffineMap {
		c := op.Context()
		perm := interfaces.StaticInts(op, permutationAttr)
		exprs := make([]*ir.AffineExpr, len(perm))
		for i, p := range perm {
			if p < 0 || p >= int64(len(perm)) {
				return nil
			}
			exprs[p] = c.AffineDim(i)
		}
		for _, e := range exprs {
			if e == nil {
				return nil
			}
		}
		return []*ir.AffineMap{c.AffineMap(len(perm), 0, exprs...), c.IdentityMap(len(perm))}
	}).With(ir.OpDef{
		Verify:        verifyTranspose,
		VerifyRegions: verifyPayload,
		VerifyAlone:   true,
		Fold:          foldTranspose,
		Models: []ir.Model{
			rewrite.Patterns(
				rewrite.Pattern{Name: "FoldTransposeWithTranspose", Rewrite: transposeOfTranspose},
				rewrite.Pattern{Name: "SwapTransposeWithBroadcast", Rewrite: transposeOfBroadcast},
			),
		},
	})
}

// TransposeOp is a linalg.transpose.
type TransposeOp struct{ StructuredOp }

// Permutation returns for each dimension of the init that of the input.
func (o TransposeOp) Permutation() []int64 { return interfaces.StaticInts(o.Op, permutationAttr) }

// Input returns the operand that is read.
func (o TransposeOp) Input() *ir.Value { return o.Operand(0) }

// Init returns the destination.
func (o TransposeOp) Init() *ir.Value { return o.Operand(1) }

// Broadcast repeats its input along new dimensions.
var Broadcast = ir.NewOpID("linalg.broadcast")

func broadcastDef() *ir.OpDef {
	return copying(Broadcast, dimensionsAttr, "broadcasted", func(op *ir.Op) []*ir.AffineMap {
		c, rank := op.Context(), initRank(op)
		dims := interfaces.StaticInts(op, dimensionsAttr)
		return []*ir.AffineMap{dimsMap(c, rank, without(rank, dims)), c.IdentityMap(rank)}
	}).With(ir.OpDef{
		Verify:        verifyBroadcast,
		VerifyRegions: verifyPayload,
		VerifyAlone:   true,
		Models: []ir.Model{
			rewrite.Patterns(
				rewrite.Pattern{Name: "EraseIdentityLinalgOp", Rewrite: eraseIdentity},
				rewrite.Pattern{Name: "FoldBroadcasts", Since: 21, Rewrite: broadcastOfBroadcast},
			),
		},
	})
}

// BroadcastOp is a linalg.broadcast.
type BroadcastOp struct{ StructuredOp }

// Dimensions returns the dimensions of the init that the input lacks.
func (o BroadcastOp) Dimensions() []int64 { return interfaces.StaticInts(o.Op, dimensionsAttr) }

// Input returns the operand that is read.
func (o BroadcastOp) Input() *ir.Value { return o.Operand(0) }

// Init returns the destination.
func (o BroadcastOp) Init() *ir.Value { return o.Operand(1) }

// copying defines an operation that copies elements of one input to other
// positions of one init.
func copying(id *ir.OpID, attr, result string, maps func(op *ir.Op) []*ir.AffineMap) *ir.OpDef {
	return &ir.OpDef{
		ID:                 id,
		Operands:           []ir.OperandDef{{Name: "input", Type: shapedOperand}, {Name: "init", Type: shapedOperand}},
		Results:            tensorResults("result"),
		Attrs:              []ir.AttrDef{{Name: attr, Type: constraint.DenseI64Array}},
		Regions:            []ir.RegionDef{{Name: "region", Sized: 1}},
		Traits:             ir.TraitSingleBlock | ir.TraitRecursiveMemoryEffects,
		ImplicitTerminator: Yield,
		Models: []ir.Model{
			interfaces.Structured.Model(interfaces.StructuredModel(structuredModel{maps, parallelLoops})),
			interfaces.Addresses(interfaces.ByPosition),
			interfaces.DestinationStyle.Model(lastOperand),
			interfaces.Bufferizable.Model(structuredBufferize{}),
			interfaces.MemoryEffects.Model(effects),
			interfaces.AccessesOperands.Model(struct{}{}),
			interfaces.ReifyShapes.Model(reifyInits),
			asm.Assembly.Model(asm.OpAssembly{
				Parse: func(p *asm.Parser, s *ir.OpState) error { return parseCopying(p, s, attr) },
				Print: func(p *asm.Printer, op *ir.Op) { printCopying(p, op, attr) },
				Says:  CopiesElements,
			}),
			nameResult(result),
		},
	}
}
