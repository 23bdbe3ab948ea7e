package arith

import (
	"math/big"

	"freehold/ir"
)

// convertNaN returns a NaN in another type, with its sign and as much of its payload as
// mlir-opt keeps, or nil where it doesn't fold: for signaling NaNs, for a payload that the
// type has no place for, and for types with a single NaN if the source has several.
func convertNaN(c *ir.Context, a *ir.FloatAttr, to *ir.FloatType) ir.Attribute {
	from, dest := a.Type.Format, to.Format
	bits := new(big.Int).SetUint64(a.Hi)
	bits.Lsh(bits, 64).Or(bits, new(big.Int).SetUint64(a.Lo))
	negative := bits.Bit(a.Type.Width-1) == 1
	payload := bits.And(bits, lowBits(from.MantBits))
	one := func(s ir.FloatSpecial) bool { return s == ir.FiniteNaNAllOnes || s == ir.FiniteNaNNegZero }
	switch {
	case one(dest.Special):
		if !one(from.Special) {
			return nil
		}
		lo, hi := dest.NaNBits()
		if negative && from.Special == ir.FiniteNaNAllOnes {
			lo |= dest.SignMask()
		}
		return c.FloatBits(to, lo, hi)
	case dest.Special != ir.IEEE && dest.Special != ir.X87:
		return nil
	case from.Special == ir.FiniteNaNNegZero:
		lo, hi := dest.NaNBits()
		return c.FloatBits(to, lo, hi)
	}
	if from.MantBits == 0 {
		lo, hi := dest.NaNBits() // of a format without payloads, such as f8E8M0FNU
		return c.FloatBits(to, lo, hi)
	}
	if payload.Bit(from.MantBits-1) == 0 {
		return nil
	}
	if shift := dest.MantBits - from.MantBits; shift >= 0 {
		payload.Lsh(payload, uint(shift))
	} else {
		if payload.TrailingZeroBits() < uint(-shift) {
			return nil
		}
		payload.Rsh(payload, uint(-shift))
	}
	exponentAt := dest.MantBits
	if dest.Special == ir.X87 {
		payload.SetBit(payload, exponentAt, 1)
		exponentAt++
	}
	payload.Or(payload, new(big.Int).Lsh(lowBits(dest.ExpBits), uint(exponentAt)))
	if negative {
		payload.SetBit(payload, to.Width-1, 1)
	}
	return c.FloatBits(to, new(big.Int).And(payload, lowBits(64)).Uint64(), new(big.Int).Rsh(payload, 64).Uint64())
}

// lowBits returns a number of which the n lowest bits are set.
func lowBits(n int) *big.Int {
	x := new(big.Int).Lsh(big.NewInt(1), uint(n))
	return x.Sub(x, big.NewInt(1))
}
