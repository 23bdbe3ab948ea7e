package math

import (
	"math/big"

	"freehold/dialect/arith"
	"freehold/exec"
	"freehold/internal/elementary"
	"freehold/ir"
)

// computeFPowI is how math.fpowi computes an element.
func computeFPowI(_ *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
	t, ok := in[0].(*ir.FloatType)
	if !ok {
		return exec.Scalar{}, false
	}
	s := exec.Scalar{Objects: func(args []any) any {
		n, ok := args[1].(*big.Int)
		if !ok {
			n = new(big.Int).SetUint64(args[1].(uint64))
		}
		y, _ := new(big.Float).SetInt(exec.Signed(n, exec.Width(in[1]))).Float64()
		return exec.FloatValue(t, elementary.Pow(exec.Float64(t, args[0]), y))
	}}
	if exec.IsWord(t) && exec.IsWord(in[1]) {
		w := exec.Width(in[1])
		s.F2 = func(a, b uint64) uint64 {
			return exec.FloatWord(t, elementary.Pow(exec.FloatOf(t, a), float64(exec.SignExtend(b, w))))
		}
	}
	return s, true
}

// computeCountTrailingZeros is how math.cttz computes an element.
var computeCountTrailingZeros exec.ScalarModel = onInt(func(a *big.Int, w int) *big.Int {
	if a.Sign() == 0 {
		return big.NewInt(int64(w))
	}
	return big.NewInt(int64(a.TrailingZeroBits()))
})

// computeCtPop is how math.ctpop computes an element.
var computeCtPop exec.ScalarModel = onInt(func(a *big.Int, w int) *big.Int {
	n := int64(0)
	for i := range a.BitLen() {
		n += int64(a.Bit(i))
	}
	return big.NewInt(n)
})

// computeIPowI is how math.ipowi computes an element.
func computeIPowI(_ *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
	w := exec.Width(in[0])
	s := exec.Scalar{Wide: func(args []*big.Int) (*big.Int, *exec.Fault) { return power(args[0], args[1], w) }}
	if w <= 64 {
		s.F2 = func(a, b uint64) uint64 {
			v, _ := power(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b), w)
			return exec.Mask(v.Uint64(), w)
		}
		s.Check = func(a, b uint64) *exec.Fault {
			if a == 0 && exec.SignExtend(b, w) < 0 {
				return zeroPower
			}
			return nil
		}
	}
	return s, ir.IsIntOrIndex(in[0])
}

var zeroPower = &exec.Fault{Kind: exec.DivisionByZero, Message: "zero is raised to a negative power"}

// power returns a to the signed power b, modulo 2^w. A negative power of anything
// but 1 and -1 is 0; one of 0 is a fault.
func power(a, b *big.Int, w int) (*big.Int, *exec.Fault) {
	limit := new(big.Int).Lsh(big.NewInt(1), uint(w))
	if n := exec.Signed(b, w); n.Sign() >= 0 {
		return new(big.Int).Exp(a, n, limit), nil
	}
	x := exec.Signed(a, w)
	switch {
	case x.Sign() == 0:
		return new(big.Int), zeroPower
	case !x.IsInt64() || x.Int64() != 1 && x.Int64() != -1:
		return new(big.Int), nil
	case b.Bit(0) == 0:
		return big.NewInt(1), nil
	}
	return new(big.Int).Set(a), nil
}

func onFloat(fn func(float64) float64) exec.ScalarModel {
	return onType(func(t *ir.FloatType) exec.Scalar { return exec.FElementary(t, fn) })
}

func onFloats(fn func(x, y float64) float64) exec.ScalarModel {
	return onType(func(t *ir.FloatType) exec.Scalar { return exec.FElementary2(t, fn) })
}

func integral(mode exec.Rounding, fn func(float64) float64) exec.ScalarModel {
	return onType(func(t *ir.FloatType) exec.Scalar { return exec.FIntegral(t, mode, fn) })
}

func onType(fn func(t *ir.FloatType) exec.Scalar) exec.ScalarModel {
	return func(op *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
		t, ok := in[0].(*ir.FloatType)
		if !ok {
			return exec.Scalar{}, false
		}
		return fn(t).Promised(t, arith.FastMath(op)), true
	}
}

// onInt is the operation on an integer of any width that fn computes.
func onInt(fn func(a *big.Int, width int) *big.Int) exec.ScalarModel {
	return func(_ *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
		w := exec.Width(in[0])
		s := exec.Scalar{Wide: func(args []*big.Int) (*big.Int, *exec.Fault) {
			return fn(new(big.Int).Set(args[0]), w), nil
		}}
		if w <= 64 {
			s.F1 = func(a uint64) uint64 { return exec.Mask(fn(new(big.Int).SetUint64(a), w).Uint64(), w) }
		}
		return s, ir.IsIntOrIndex(in[0])
	}
}
