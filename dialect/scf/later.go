package scf

import (
	"math/big"
	"slices"

	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// Loops over unsigned numbers have been there since a version of LLVM, whose programs keep them.
const (
	unsignedSince = 22
	unsignedWord  = "unsigned"    // in the short form
	unsignedAttr  = "unsignedCmp" // among the discardable attributes, as the definition has none
)

// compareSigned makes a loop over unsigned numbers, in a program of an earlier version, one over signed numbers. With the
// highest bit inverted, these have the order that the former have without, and the
// distance of two of them is the same. Bounds that can't be negative need none of this.
func compareSigned(b *ir.Builder, s *ir.OpState) error {
	if b.Context().LLVM() >= unsignedSince {
		return nil
	}
	i := slices.IndexFunc(s.Attrs, func(a ir.NamedAttr) bool { return a.Name == unsignedAttr })
	if i < 0 || len(s.Operands) < forInits || len(s.Regions) != 1 || s.Regions[0].NumBlocks() != 1 {
		return nil // unless it isn't marked, an error of the verifier
	}
	t := s.Operands[0].Type()
	body := s.Regions[0].Entry()
	width := 64 // of index
	if i, ok := t.(*ir.IntegerType); ok {
		width = i.Width
	} else if t != ir.Type(ir.Index) {
		return nil
	}
	if width == 0 || body.NumArgs() == 0 || body.Arg(0).Type() != t || s.Operands[1].Type() != t {
		return nil
	}
	s.Attrs = slices.Delete(slices.Clone(s.Attrs), i, i+1)
	if neverNegative(s.Operands[0]) && neverNegative(s.Operands[1]) {
		return nil
	}
	highest := arith.NewConstant(b, b.Context().BigIntegerAttr(t, new(big.Int).Lsh(big.NewInt(1), uint(width-1)))).Result(0)
	s.Operands = slices.Clone(s.Operands)
	for i := range s.Operands[:2] {
		s.Operands[i] = arith.New(b, arith.XOrI, s.Operands[i], highest)
	}
	iv := body.Arg(0)
	if !iv.HasUses() {
		return nil
	}
	b.SetStart(body)
	n := arith.New(b, arith.XOrI, iv, highest)
	iv.ReplaceUsesIf(n, func(u *ir.Use) bool { return u.Owner() != n.DefiningOp() })
	return nil
}

// neverNegative tells whether an integer is known to be the same number with a sign and
// without.
func neverNegative(v *ir.Value) bool {
	if n, ok := ir.ConstantInt(v); ok {
		return n == 0 || n > 0 && v.Type() != ir.Type(ir.I1)
	}
	op := v.DefiningOp()
	return op != nil && interfaces.IsDim(op)
}
