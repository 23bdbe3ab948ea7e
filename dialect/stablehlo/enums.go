package stablehlo

import (
	"freehold/ir"
	"freehold/ir/constraint"
)

func enum(mnemonic string, first uint64, words ...string) *ir.EnumDef {
	d := &ir.EnumDef{Dialect: dialectName, Mnemonic: mnemonic, Name: mnemonic, Bare: true}
	for i, w := range words {
		d.Cases = append(d.Cases, ir.EnumCase{Keyword: w, Value: first + uint64(i)})
	}
	return d
}

// The enumerations of the dialect. The numbers are those that portable artifacts have.
var (
	ComparisonDirection = enum("comparison_direction", 0, "EQ", "NE", "GE", "GT", "LE", "LT")
	ComparisonType      = enum("comparison_type", 0, "NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED")
	Precision           = enum("precision", 0, "DEFAULT", "HIGH", "HIGHEST")
	FFTType             = enum("fft_type", 0, "FFT", "IFFT", "RFFT", "IRFFT")
	TransposeKind       = enum("transpose", 0, "TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")
	RNGDistribution     = enum("rng_distribution", 1, "UNIFORM", "NORMAL")
	RNGAlgorithm        = enum("rng_algorithm", 0, "DEFAULT", "THREE_FRY", "PHILOX")
)

// Values of the enumerations.
const (
	EQ uint64 = iota
	NE
	GE
	GT
	LE
	LT
)

// TotalOrder is the type of comparisons that put floating-point numbers into an order, NaN and signed zeros included.
const TotalOrder uint64 = 2

// The kinds of discrete Fourier transforms.
const (
	FFT uint64 = iota
	InverseFFT
	RealFFT
	InverseRealFFT
)

// What stablehlo.triangular_solve does with its matrix.
const (
	NoTranspose uint64 = 1 + iota
	Transposed
	Adjoint
)

// The algorithms of stablehlo.rng_bit_generator.
const (
	DefaultAlgorithm uint64 = iota
	ThreeFry
	Philox
)

// The distributions of stablehlo.rng.
const (
	Uniform uint64 = 1 + iota
	Normal
)

var enums = []*ir.EnumDef{ComparisonDirection, ComparisonType, Precision, FFTType, TransposeKind, RNGDistribution, RNGAlgorithm}

func enumAttr(d *ir.EnumDef) ir.AttrConstraint { return constraint.EnumOrText(d.Name+" attribute", d) }

// EnumValue returns the number of an attribute that is a value of an enumeration; none if the operation doesn't have it.
func EnumValue(op *ir.Op, name string, none uint64) uint64 {
	if e, ok := op.Attr(name).(*ir.EnumAttr); ok {
		return e.Value
	}
	return none
}
