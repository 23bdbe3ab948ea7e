// Package dialect lists the dialects that freehold knows. Each dialect is a
// package of its own, which says all there is to say about its operations.
package dialect

//go:generate go run freehold/cmd/genoperands

import (
	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/async"
	"freehold/dialect/bufferization"
	"freehold/dialect/builtin"
	"freehold/dialect/cf"
	"freehold/dialect/check"
	"freehold/dialect/chlo"
	"freehold/dialect/complex"
	"freehold/dialect/deallocation"
	"freehold/dialect/dlti"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/gpu"
	"freehold/dialect/index"
	"freehold/dialect/linalg"
	"freehold/dialect/llvm"
	"freehold/dialect/math"
	"freehold/dialect/memref"
	"freehold/dialect/mlprogram"
	"freehold/dialect/quant"
	"freehold/dialect/scf"
	"freehold/dialect/sdy"
	"freehold/dialect/shape"
	"freehold/dialect/sparsetensor"
	"freehold/dialect/stablehlo"
	"freehold/dialect/tensor"
	testd "freehold/dialect/testd"
	"freehold/dialect/tosa"
	transformd "freehold/dialect/transformd"
	"freehold/dialect/ub"
	"freehold/dialect/vector"
	"freehold/dialect/vhlo"
	"freehold/ir"
)

// All returns all dialects, in order of their names.
func All() []*ir.Dialect {
	return []*ir.Dialect{
		affine.Dialect,
		arith.Dialect,
		async.Dialect,
		bufferization.Dialect,
		builtin.Dialect,
		cf.Dialect,
		check.Dialect,
		chlo.Dialect,
		complex.Dialect,
		deallocation.Dialect,
		dlti.Dialect,
		funcd.Dialect,
		gpu.Dialect,
		index.Dialect,
		linalg.Dialect,
		llvm.Dialect,
		math.Dialect,
		memref.Dialect,
		stablehlo.MHLO,
		mlprogram.Dialect,
		quant.Dialect,
		scf.Dialect,
		sdy.Dialect,
		shape.Dialect,
		sparsetensor.Dialect,
		stablehlo.Dialect,
		tensor.Dialect,
		testd.Dialect,
		tosa.Dialect,
		transformd.Dialect,
		ub.Dialect,
		vector.Dialect,
		vhlo.Dialect,
	}
}
