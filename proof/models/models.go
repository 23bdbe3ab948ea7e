// Package models has the semantics of the operations of freehold's dialects for the abstract interpreter of package kernel, which
// knows none of them by name: a transfer function for each operation whose interfaces don't say enough. It stands to the dialects as
// external models do in MLIR.
package models

import (
	"slices"

	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/bufferization"
	"freehold/dialect/builtin"
	"freehold/dialect/cf"
	"freehold/dialect/complex"
	"freehold/dialect/deallocation"
	"freehold/dialect/index"
	"freehold/dialect/linalg"
	"freehold/dialect/math"
	"freehold/dialect/memref"
	"freehold/dialect/shape"
	testd "freehold/dialect/testd"
	"freehold/dialect/vector"
	"freehold/ir"
	"freehold/proof/kernel"
)

// Dialects are the models of the operations and types of freehold's dialects.
var Dialects = kernel.Models{
	Rules: map[*ir.OpID]kernel.Model{
		memref.Dealloc:                      dealloc,
		memref.Realloc:                      realloc,
		memref.Load:                         load,
		memref.Store:                        store,
		memref.Copy:                         copyElements,
		linalg.Fill:                         fillElements,
		memref.Dim:                          dim,
		memref.GetGlobal:                    getGlobal,
		memref.ExtractAlignedPointerAsIndex: address,
		memref.ExtractStridedMetadata:       metadata,
		memref.DistinctObjects:              distinctObjects,
		bufferization.Dealloc:               deallocUnlessRetained,
		deallocation.Null:                   null,
		deallocation.Own:                    own,
		deallocation.GetBuffer:              own,
		deallocation.Free:                   free,
		deallocation.Retain:                 retain,
		cf.Assert:                           assert,
		arith.AndI:                          connective,
		arith.OrI:                           connective,
		arith.XOrI:                          connective,
		arith.AddI:                          connective,
		arith.SubI:                          connective,
		arith.MulI:                          connective,
		arith.MaxSI:                         connective,
		arith.MaxUI:                         connective,
		arith.MinSI:                         connective,
		arith.MinUI:                         connective,
		arith.CmpI:                          compareIntegers,
		arith.CmpF:                          compareFloats,
		index.Cmp:                           compareIndices,
		math.IsNaN:                          isNaN,
		complex.Equal:                       equalComplex,
		complex.NotEqual:                    differentComplex,
		arith.Select:                        selectOp,
		arith.IndexCast:                     castAddress,
		arith.IndexCastUI:                   castAddress,
		builtin.UnrealizedConversionCast:    castAddress,
	},
	IsOwner:  IsOwner,
	IsNumber: shape.IsNumbers,
	SizeOf:   sizeOf,
	Traits: traits(map[kernel.Trait][]*ir.OpID{
		kernel.TouchesNothing: {affine.Prefetch, memref.Prefetch, memref.AssumeAlignment},
		kernel.AnyTimes:       {affine.Parallel, shape.Reduce, vector.Mask, memref.GenericAtomicRMW, testd.RegionBufferBased},
		kernel.Asks:           {memref.Dim, memref.Rank, shape.Dim, shape.ShapeOf},
		kernel.SeesAll:        {memref.Cast, memref.CollapseShape, memref.ExpandShape, memref.MemorySpaceCast, memref.Reshape, memref.Transpose, vector.TypeCast},
		kernel.StartsAnew:     {memref.ReinterpretCast},
	}),
	IsFunctional: func(op *ir.Op) bool {
		return slices.Contains([]string{"affine", "arith", "index", "math"}, kernel.Dialect(op))
	},
}

// traits turns a list by traits into one by operations, each of which has one at most.
func traits(of map[kernel.Trait][]*ir.OpID) map[*ir.OpID]kernel.Trait {
	out := map[*ir.OpID]kernel.Trait{}
	for t, ops := range of {
		for _, op := range ops {
			out[op] = t
		}
	}
	return out
}
