package index

import (
	"math"
	"math/big"

	"freehold/ir"
	"freehold/ir/fold"
	"freehold/ir/rewrite"
)

// calc computes a binary operation on numbers of w bits, given sign-extended, of
// which the result is truncated to w bits. It returns false where the operation
// has no result.
type calc func(x, y int64, w int) (int64, bool)

// none is no neutral element.
const none = math.MinInt64

// folder folds constants, and a right operand that is the neutral element. With
// checked, the results for 32 and for 64 bits must agree.
func folder(checked bool, f calc, neutral int64) func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	return func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
		y, ok := number(operands[1])
		if !ok {
			return nil
		}
		if x, ok := number(operands[0]); ok {
			if r, ok := compute(f, x, y, checked); ok {
				return ir.FoldAttr(op.Context().IndexAttr(r))
			}
		}
		if neutral != none && y == neutral {
			return ir.FoldValue(binaryOp{op}.LHS())
		}
		return nil
	}
}

func compute(f calc, x, y int64, checked bool) (int64, bool) {
	r, ok := f(x, y, 64)
	if ok && checked {
		narrow, ok32 := f(int64(int32(x)), int64(int32(y)), 32)
		ok = ok32 && int32(narrow) == int32(r)
	}
	return r, ok
}

func number(a ir.Attribute) (int64, bool) {
	i, ok := a.(*ir.IntegerAttr)
	if !ok || i.Big != nil {
		return 0, false
	}
	return i.Value, true
}

func unsigned(x int64, w int) uint64 {
	if w == 32 {
		return uint64(uint32(x))
	}
	return uint64(x)
}

// divS rounds towards zero; it has no result for a zero divisor, and wraps on overflow.
func divS(x, y int64, _ int) (int64, bool) {
	if y == 0 {
		return 0, false
	}
	return x / y, true
}

var foldProduct = folder(false, func(x, y int64, _ int) (int64, bool) { return x * y, true }, 1)

func foldMul(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if r := foldProduct(op, operands); r != nil {
		return r
	}
	if y, ok := number(operands[1]); ok && y == 0 {
		return ir.FoldAttr(operands[1])
	}
	return nil
}

// foldCast folds a constant where the result doesn't depend on the width of index.
func foldCast(op *ir.Op, operands []ir.Attribute, signed bool) []ir.FoldResult {
	a, ok := operands[0].(*ir.IntegerAttr)
	if !ok {
		return nil
	}
	c := op.Context()
	v := fold.Signed(a)
	extend := func(x int64) ir.Attribute {
		if signed {
			return c.IntegerAttr(op.Result(0).Type(), x)
		}
		return c.BigIntegerAttr(op.Result(0).Type(), bigUnsigned(x))
	}
	t, toInt := op.Result(0).Type().(*ir.IntegerType)
	if !toInt {
		if !signed {
			v = unsignedValue(a)
		}
		return ir.FoldAttr(c.BigIntegerAttr(ir.Index, v))
	}
	x := a.Value
	narrow := int64(int32(x))
	if !signed {
		narrow = int64(uint32(x))
	}
	switch {
	case t.Width <= 32:
		return ir.FoldAttr(c.IntegerAttr(t, x))
	case t.Width >= 64:
		if narrow != x {
			return nil
		}
		return ir.FoldAttr(extend(x))
	}
	r := c.IntegerAttr(t, x)
	if r != c.IntegerAttr(t, narrow) {
		return nil
	}
	return ir.FoldAttr(r)
}

// holds compares numbers of w bits.
func holds(pred uint64, x, y int64, w int) bool {
	if pred >= 6 {
		m, n := unsigned(x, w), unsigned(y, w)
		switch pred {
		case 6:
			return m < n
		case 7:
			return m <= n
		case 8:
			return m > n
		}
		return m >= n
	}
	switch pred {
	case 0:
		return x == y
	case 1:
		return x != y
	case 2:
		return x < y
	case 3:
		return x <= y
	case 4:
		return x > y
	}
	return x >= y
}

func foldCmp(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	c := op.Context()
	pred := op.Prop(0).(*ir.EnumAttr).Value
	x, xok := number(operands[0])
	y, yok := number(operands[1])
	if xok && yok {
		r := holds(pred, x, y, 64)
		if r == holds(pred, int64(int32(x)), int64(int32(y)), 32) {
			return ir.FoldAttr(c.Bool(r))
		}
	}
	if yok {
		if r, ok := cmpOfBounded(CmpOp{op}.LHS(), y, pred); ok {
			return ir.FoldAttr(c.Bool(r))
		}
	}
	if (CmpOp{op}).LHS() == (CmpOp{op}).RHS() {
		return ir.FoldAttr(c.Bool(holds(pred, 0, 0, 64)))
	}
	return nil
}

// cmpOfBounded compares the minimum or maximum of something and a constant with
// the constant y, if the bound decides it for both widths.
func cmpOfBounded(v *ir.Value, y int64, pred uint64) (result, ok bool) {
	op := v.DefiningOp()
	if op == nil || !op.Is(MinS) && !op.Is(MaxS) && !op.Is(MinU) && !op.Is(MaxU) {
		return false, false
	}
	bound, ok := number(ir.ConstantOf(binaryOp{op}.RHS()))
	if !ok {
		return false, false
	}
	result, ok = decide(op.ID(), bound, y, pred, 64)
	r32, ok32 := decide(op.ID(), int64(int32(bound)), int64(int32(y)), pred, 32)
	return result, ok && ok32 && result == r32
}

// decide compares every number of w bits that a minimum or maximum with bound can
// be with y, and returns whether all agree.
func decide(id *ir.OpID, bound, y int64, pred uint64, w int) (result, ok bool) {
	least, greatest := int64(math.MinInt64), int64(math.MaxInt64)
	if w == 32 {
		least, greatest = math.MinInt32, math.MaxInt32
	}
	lo, hi := least, greatest
	switch {
	case id == MinS:
		hi = bound
	case id == MaxS:
		lo = bound
	default:
		// As unsigned numbers the order starts at 0 and ends at -1.
		lo, hi = 0, -1
		if id == MinU {
			hi = bound
		} else {
			lo = bound
		}
	}
	signedRange := id == MinS || id == MaxS
	signedPred := pred >= 2 && pred <= 5
	if signedRange != signedPred || pred < 2 {
		// The other order cuts a range that crosses its ends in two. An inequality
		// must be clear in both orders.
		crosses := unsigned(lo, w) <= uint64(greatest) && unsigned(hi, w) > uint64(greatest)
		if signedRange {
			crosses = lo < 0 && hi >= 0
		}
		switch {
		case crosses && pred < 2:
			return false, false
		case crosses && signedRange:
			lo, hi = 0, -1
		case crosses:
			lo, hi = least, greatest
		}
	}
	if pred < 2 {
		inside := lo <= y && y <= hi
		if !signedRange {
			inside = unsigned(lo, w) <= unsigned(y, w) && unsigned(y, w) <= unsigned(hi, w)
		}
		switch {
		case !inside:
			return pred == 1, true
		case lo == hi:
			return pred == 0, true
		}
		return false, false
	}
	a, b := holds(pred, lo, y, w), holds(pred, hi, y, w)
	return a, a == b
}

// cmpOfSub compares the operands of a difference rather than the difference with
// zero, for equality: the difference may wrap.
func cmpOfSub(r *rewrite.Rewriter, op *ir.Op) bool {
	y, ok := number(ir.ConstantOf(CmpOp{op}.RHS()))
	sub := CmpOp{op}.LHS().DefiningOp()
	if !ok || y != 0 || sub == nil || !sub.Is(Sub) || op.Prop(0).(*ir.EnumAttr).Value > 1 {
		return false
	}
	r.SetBefore(op)
	r.Loc = op.Loc()
	s := r.State(Cmp)
	s.SetAttr("pred", op.Prop(0))
	s.Operands = sub.Operands().Values()
	s.Types = []ir.Type{ir.I1}
	r.Replace(op, r.Create(s).Result(0))
	return true
}

// unsignedValue returns the attribute's bits as an unsigned number.
func unsignedValue(a *ir.IntegerAttr) *big.Int { return fold.Unsigned(a.BigInt(), fold.Width(a.Type)) }

func bigUnsigned(x int64) *big.Int { return new(big.Int).SetUint64(uint64(x)) }

// associative is how LLVM 22 canonicalizes an operation on what the same operation computed with a constant, and another constant.
var associative = rewrite.Patterns(rewrite.Pattern{Name: "associate", Since: 22, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
	inner := binaryOp{op}.LHS().DefinedBy(op.ID())
	if inner == nil || ir.ConstantOf(binaryOp{op}.RHS()) == nil || ir.ConstantOf(binaryOp{inner}.RHS()) == nil {
		return false
	}
	b := r.At(op)
	s := b.State(op.ID())
	s.Operands, s.Types = []*ir.Value{binaryOp{inner}.RHS(), binaryOp{op}.RHS()}, op.Results().Types()
	v := rewrite.CreateOrFold(b, s)[0]
	r.Replace(op, b.CreateOp(op.ID(), op.Results().Types(), []*ir.Value{binaryOp{inner}.LHS(), v}).Result(0))
	return true
}})
