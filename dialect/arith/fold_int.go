package arith

import (
	"math/big"

	"freehold/ir"
	"freehold/ir/fold"
)

// intFolder folds a binary integer operation by what it does with constants.
type intFolder struct {
	// same tells that the operation of a value with itself is the value.
	same bool
	// neutral right operands give the left one, absorbing ones give themselves.
	neutral, absorbing func(*ir.IntegerAttr) bool
	// zeroForOne tells that a right operand of one gives zero.
	zeroForOne bool
	// keepPoison tells that poison operands don't fold.
	keepPoison bool
	// compute returns the result for two constants of width w, or nil.
	compute func(w int, x, y *big.Int) *big.Int
	// partial is used if compute is nil. It tells whether the result is defined, and
	// has one anyway. As in mlir-opt the last elements of vectors decide whether the
	// operation folds; the others are undefined where their operands don't fit.
	partial func(w int, x, y *big.Int) (v *big.Int, defined bool)
}

func (f intFolder) fold(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	c := op.Context()
	lhs, rhs := BinaryOp{op}.LHS(), BinaryOp{op}.RHS()
	if f.same && lhs == rhs {
		return ir.FoldValue(lhs)
	}
	if r := constantInt(c, operands[1]); r != nil {
		switch {
		case f.absorbing != nil && f.absorbing(r):
			return ir.FoldValue(rhs)
		case f.neutral != nil && f.neutral(r):
			return ir.FoldValue(lhs)
		case f.zeroForOne && isOne(r):
			if z := fold.Filled(c, op.Result(0).Type(), 0); z != nil {
				return ir.FoldAttr(z)
			}
		}
	}
	if !f.keepPoison {
		if p := poisoned(operands); p != nil {
			return ir.FoldAttr(p)
		}
	}
	return f.constants(op, operands)
}

func (f intFolder) constants(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if operands[0] == nil || operands[1] == nil {
		return nil
	}
	defined := true
	result := fold.Ints(op.Context(), op.Result(0).Type(), operands, func(w int, args []*big.Int) (v *big.Int) {
		if f.compute != nil {
			return f.compute(w, args[0], args[1])
		}
		v, defined = f.partial(w, args[0], args[1])
		return v
	})
	if !defined {
		return nil
	}
	return folded(result)
}

func isSignedMax(a *ir.IntegerAttr) bool {
	w := fold.Width(a.Type)
	v := fold.Signed(a)
	return v.Sign() >= 0 && new(big.Int).Add(v, big.NewInt(1)).TrailingZeroBits() == uint(w-1)
}

func isSignedMin(a *ir.IntegerAttr) bool {
	v := fold.Signed(a)
	return v.Sign() < 0 && v.TrailingZeroBits() == uint(fold.Width(a.Type)-1)
}

func pick(first bool, x, y *big.Int) *big.Int {
	if first {
		return x
	}
	return y
}

// quotient rounds towards zero; nil for a zero divisor.
func quotient(x, y *big.Int) *big.Int {
	if y.Sign() == 0 {
		return nil
	}
	return new(big.Int).Quo(x, y)
}

func remainder(x, y *big.Int) *big.Int {
	if y.Sign() == 0 {
		return nil
	}
	return new(big.Int).Rem(x, y)
}

func floorQuotient(x, y *big.Int) *big.Int {
	if y.Sign() == 0 {
		return nil
	}
	q, r := new(big.Int).QuoRem(x, y, new(big.Int))
	if r.Sign() != 0 && r.Sign() != y.Sign() {
		q.Sub(q, big.NewInt(1))
	}
	return q
}

func ceilQuotient(x, y *big.Int) *big.Int {
	if y.Sign() == 0 {
		return nil
	}
	q, r := new(big.Int).QuoRem(x, y, new(big.Int))
	if r.Sign() != 0 && r.Sign() == y.Sign() {
		q.Add(q, big.NewInt(1))
	}
	return q
}

// fitting returns v if it is a signed number of w bits, else nil.
func fitting(w int, v *big.Int) *big.Int {
	if v == nil || fold.Wrap(v, w).Cmp(v) != 0 {
		return nil
	}
	return v
}

// foldCeilDiv doesn't fold where an operand that must be negated on a machine is
// the least number of its type.
func foldCeilDiv(w int, x, y *big.Int) *big.Int {
	least := new(big.Int).Lsh(big.NewInt(-1), uint(w-1))
	if x.Sign() != 0 && (x.Cmp(least) == 0 || y.Cmp(least) == 0) {
		return nil
	}
	return fitting(w, ceilQuotient(x, y))
}

// shift computes shifts, which are defined for distances less than the width.
func shift(by func(w int, x *big.Int, n uint) *big.Int) func(w int, x, y *big.Int) (*big.Int, bool) {
	return func(w int, x, y *big.Int) (*big.Int, bool) {
		y = fold.Unsigned(y, w)
		if !y.IsInt64() || y.Int64() >= int64(w) {
			return by(w, x, uint(w)), false
		}
		return by(w, x, uint(y.Int64())), true
	}
}

var addFolder = intFolder{neutral: isZero, compute: func(_ int, x, y *big.Int) *big.Int { return new(big.Int).Add(x, y) }}

func foldAddI(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	lhs, rhs := AddIOp{op}.LHS(), AddIOp{op}.RHS()
	if isConstant(op.Context(), operands[1], isZero) {
		return ir.FoldValue(lhs)
	}
	// A difference plus its subtrahend is its minuend.
	if sub := lhs.DefiningOp(); sub != nil && sub.Is(SubI) && (SubIOp{sub}).RHS() == rhs {
		return ir.FoldValue(SubIOp{sub}.LHS())
	}
	if sub := rhs.DefiningOp(); sub != nil && sub.Is(SubI) && (SubIOp{sub}).RHS() == lhs {
		return ir.FoldValue(SubIOp{sub}.LHS())
	}
	return addFolder.fold(op, operands)
}

var subFolder = intFolder{neutral: isZero, compute: func(_ int, x, y *big.Int) *big.Int { return new(big.Int).Sub(x, y) }}

func foldSubI(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	lhs, rhs := SubIOp{op}.LHS(), SubIOp{op}.RHS()
	if lhs == rhs {
		if z := fold.Filled(op.Context(), op.Result(0).Type(), 0); z != nil {
			return ir.FoldAttr(z)
		}
		return nil
	}
	if isConstant(op.Context(), operands[1], isZero) {
		return ir.FoldValue(lhs)
	}
	if add := lhs.DefiningOp(); add != nil && add.Is(AddI) {
		if (AddIOp{add}).RHS() == rhs {
			return ir.FoldValue(AddIOp{add}.LHS())
		}
		if (AddIOp{add}).LHS() == rhs {
			return ir.FoldValue(AddIOp{add}.RHS())
		}
	}
	return subFolder.fold(op, operands)
}

// notOf returns the value whose bits v inverts, or nil.
func notOf(v *ir.Value) *ir.Value {
	op := v.DefiningOp()
	if op == nil || !op.Is(XOrI) || !isConstant(op.Context(), constantOf(XOrIOp{op}.RHS()), isAllOnes) {
		return nil
	}
	return XOrIOp{op}.LHS()
}

var andFolder = intFolder{absorbing: isZero, neutral: isAllOnes, compute: func(_ int, x, y *big.Int) *big.Int { return new(big.Int).And(x, y) }}

func foldAndI(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	c := op.Context()
	lhs, rhs := AndIOp{op}.LHS(), AndIOp{op}.RHS()
	if notOf(lhs) == rhs || notOf(rhs) == lhs {
		if z := fold.Filled(c, op.Result(0).Type(), 0); z != nil {
			return ir.FoldAttr(z)
		}
	}
	if r := andFolder.fold(op, operands); r != nil {
		return r
	}
	// a & (a & b) is a & b.
	for i, other := range []*ir.Value{rhs, lhs} {
		and := other.DefiningOp()
		if and != nil && and.Is(AndI) && (AndIOp{and}.LHS() == op.Operand(i) || AndIOp{and}.RHS() == op.Operand(i)) {
			return ir.FoldValue(other)
		}
	}
	return nil
}

var orFolder = intFolder{neutral: isZero, compute: func(_ int, x, y *big.Int) *big.Int { return new(big.Int).Or(x, y) }}

func foldOrI(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	lhs, rhs := OrIOp{op}.LHS(), OrIOp{op}.RHS()
	// x | ^x is the constant that inverts.
	if notOf(lhs) == rhs {
		return ir.FoldValue(XOrIOp{lhs.DefiningOp()}.RHS())
	}
	if notOf(rhs) == lhs {
		return ir.FoldValue(XOrIOp{rhs.DefiningOp()}.RHS())
	}
	if isConstant(op.Context(), operands[1], isAllOnes) {
		return ir.FoldAttr(operands[1])
	}
	return orFolder.fold(op, operands)
}

var xorFolder = intFolder{neutral: isZero, compute: func(_ int, x, y *big.Int) *big.Int { return new(big.Int).Xor(x, y) }}

func foldXOrI(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	lhs, rhs := XOrIOp{op}.LHS(), XOrIOp{op}.RHS()
	if isConstant(op.Context(), operands[1], isZero) {
		return ir.FoldValue(lhs)
	}
	if lhs == rhs {
		if z := fold.Filled(op.Context(), op.Result(0).Type(), 0); z != nil {
			return ir.FoldAttr(z)
		}
		return nil
	}
	// (a ^ b) ^ b is a, in any order.
	for i, v := range []*ir.Value{lhs, rhs} {
		other := op.Operand(1 - i)
		if xor := v.DefiningOp(); xor != nil && xor.Is(XOrI) {
			if (XOrIOp{xor}).RHS() == other {
				return ir.FoldValue(XOrIOp{xor}.LHS())
			}
			if (XOrIOp{xor}).LHS() == other {
				return ir.FoldValue(XOrIOp{xor}.RHS())
			}
		}
	}
	return xorFolder.fold(op, operands)
}

func foldAddUIExtended(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	c := op.Context()
	flags := op.Result(1).Type()
	if isConstant(c, operands[1], isZero) {
		if no := fold.Filled(c, flags, 0); no != nil {
			return []ir.FoldResult{{Value: AddUIExtendedOp{op}.LHS()}, {Attr: no}}
		}
	}
	if poisoned(operands) != nil || operands[0] == nil || operands[1] == nil {
		return nil
	}
	sum := fold.Ints(c, op.Result(0).Type(), operands, func(_ int, a []*big.Int) *big.Int { return new(big.Int).Add(a[0], a[1]) })
	carry := fold.Ints(c, flags, operands, func(w int, a []*big.Int) *big.Int {
		return new(big.Int).Rsh(new(big.Int).Add(fold.Unsigned(a[0], w), fold.Unsigned(a[1], w)), uint(w))
	})
	return both(sum, carry)
}

func foldMulSIExtended(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	return foldExtended(op, operands, func(_ int, x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) })
}

func foldMulUIExtended(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	c := op.Context()
	if isConstant(c, operands[1], isOne) {
		if z := fold.Filled(c, op.Result(1).Type(), 0); z != nil {
			return []ir.FoldResult{{Value: MulUIExtendedOp{op}.LHS()}, {Attr: z}}
		}
	}
	return foldExtended(op, operands, func(w int, x, y *big.Int) *big.Int {
		return new(big.Int).Mul(fold.Unsigned(x, w), fold.Unsigned(y, w))
	})
}

// poisonedToo folds an operation both of whose results are poison if an operand is.
func poisonedToo(foldOthers func(*ir.Op, []ir.Attribute) []ir.FoldResult) func(*ir.Op, []ir.Attribute) []ir.FoldResult {
	return func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
		if p := poisoned(operands); p != nil {
			return both(p, p)
		}
		return foldOthers(op, operands)
	}
}

func foldExtended(op *ir.Op, operands []ir.Attribute, product func(w int, x, y *big.Int) *big.Int) []ir.FoldResult {
	c := op.Context()
	t := op.Result(0).Type()
	if isConstant(c, operands[1], isZero) {
		return both(operands[1], operands[1])
	}
	if poisoned(operands) != nil || operands[0] == nil || operands[1] == nil {
		return nil
	}
	low := fold.Ints(c, t, operands, func(w int, a []*big.Int) *big.Int { return product(w, a[0], a[1]) })
	high := fold.Ints(c, t, operands, func(w int, a []*big.Int) *big.Int { return new(big.Int).Rsh(product(w, a[0], a[1]), uint(w)) })
	return both(low, high)
}

func both(a, b ir.Attribute) []ir.FoldResult {
	if a == nil || b == nil {
		return nil
	}
	return []ir.FoldResult{{Attr: a}, {Attr: b}}
}
