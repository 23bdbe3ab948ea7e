package exec

import (
	"math/big"
	"math/bits"
)

// The functions of this file return the scalar operations on integers of a given
// width; index counts as 64 bits.

func intOp(width int, fn func(a, b uint64) uint64, wide func(z, a, b *big.Int) *big.Int) Scalar {
	s := Scalar{Wide: func(args []*big.Int) (*big.Int, *Fault) {
		return wide(new(big.Int), args[0], args[1]), nil
	}, width: width}
	if width > 64 {
		return s
	}
	if width == 64 {
		s.F2 = fn
		return s
	}
	mask := uint64(1)<<width - 1
	s.F2 = func(a, b uint64) uint64 { return fn(a, b) & mask }
	return s
}

// signedOp is intOp with operands as signed numbers.
func signedOp(width int, fn func(a, b int64) int64, wide func(z, a, b *big.Int) *big.Int) Scalar {
	return intOp(width, func(a, b uint64) uint64 {
		return uint64(fn(SignExtend(a, width), SignExtend(b, width)))
	}, func(z, a, b *big.Int) *big.Int { return wide(z, signed(a, width), signed(b, width)) })
}

// signed returns the number from 0 up to 2^width as a signed one.
func signed(v *big.Int, width int) *big.Int {
	if width > 0 && v.Bit(width-1) == 1 {
		return new(big.Int).Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(width)))
	}
	return v
}

// Add returns addition.
func Add(width int) Scalar {
	s := intOp(width, func(a, b uint64) uint64 { return a + b }, (*big.Int).Add)
	s.Emit = func(d int, args []int) Step {
		a, b, mask := args[0], args[1], Mask(^uint64(0), width)
		return func(f *Frame) error {
			f.W[d] = (f.W[a] + f.W[b]) & mask
			return nil
		}
	}
	s.wraps = addWraps
	return s
}

// Sub returns subtraction.
func Sub(width int) Scalar {
	s := intOp(width, func(a, b uint64) uint64 { return a - b }, (*big.Int).Sub)
	s.Emit = func(d int, args []int) Step {
		a, b, mask := args[0], args[1], Mask(^uint64(0), width)
		return func(f *Frame) error {
			f.W[d] = (f.W[a] - f.W[b]) & mask
			return nil
		}
	}
	s.wraps = subWraps
	return s
}

// Mul returns multiplication.
func Mul(width int) Scalar {
	s := intOp(width, func(a, b uint64) uint64 { return a * b }, (*big.Int).Mul)
	s.Emit = func(d int, args []int) Step {
		a, b, mask := args[0], args[1], Mask(^uint64(0), width)
		return func(f *Frame) error {
			f.W[d] = (f.W[a] * f.W[b]) & mask
			return nil
		}
	}
	s.wraps = mulWraps
	return s
}

// addWraps tells whether the sum of numbers of up to 64 bits doesn't fit as a
// signed, and as an unsigned, number.
func addWraps(a, b uint64, width int) (bySign, unsigned bool) {
	x, y := SignExtend(a, width), SignExtend(b, width)
	sum, carry := bits.Add64(a, b, 0)
	return (x < 0) == (y < 0) && (SignExtend(sum, width) < 0) != (x < 0), carry != 0 || sum != Mask(sum, width)
}

func subWraps(a, b uint64, width int) (bySign, unsigned bool) {
	x, y := SignExtend(a, width), SignExtend(b, width)
	return (x < 0) != (y < 0) && (SignExtend(a-b, width) < 0) != (x < 0), a < b
}

func mulWraps(a, b uint64, width int) (bySign, unsigned bool) {
	hi, lo := bits.Mul64(a, b)
	x, y := SignExtend(a, width), SignExtend(b, width)
	low := SignExtend(lo, width)
	bySign = mulHigh(x, y) != x*y>>63 || low != x*y
	return bySign, hi != 0 || lo != Mask(lo, width)
}

// And returns the bitwise and.
func And(width int) Scalar {
	return intOp(width, func(a, b uint64) uint64 { return a & b }, (*big.Int).And)
}

// Or returns the bitwise or.
func Or(width int) Scalar {
	return intOp(width, func(a, b uint64) uint64 { return a | b }, (*big.Int).Or)
}

// Xor returns the bitwise exclusive or.
func Xor(width int) Scalar {
	return intOp(width, func(a, b uint64) uint64 { return a ^ b }, (*big.Int).Xor)
}

// MaxS returns the greater of two signed numbers.
func MaxS(width int) Scalar {
	return signedOp(width, func(a, b int64) int64 { return max(a, b) }, pick(1))
}

// MinS returns the lesser of two signed numbers.
func MinS(width int) Scalar {
	return signedOp(width, func(a, b int64) int64 { return min(a, b) }, pick(-1))
}

// MaxU returns the greater of two unsigned numbers.
func MaxU(width int) Scalar {
	return intOp(width, func(a, b uint64) uint64 { return max(a, b) }, pick(1))
}

// MinU returns the lesser of two unsigned numbers.
func MinU(width int) Scalar {
	return intOp(width, func(a, b uint64) uint64 { return min(a, b) }, pick(-1))
}

func pick(order int) func(z, a, b *big.Int) *big.Int {
	return func(z, a, b *big.Int) *big.Int {
		if a.Cmp(b) == order {
			return z.Set(a)
		}
		return z.Set(b)
	}
}

var (
	byZero   = &Fault{DivisionByZero, "division by zero"}
	byPoison = &Fault{PoisonUse, "the divisor is poison"}
	overflow = &Fault{Undefined, "signed division overflows"}
)

func divides(s Scalar, width int, signedDiv bool) Scalar {
	least := uint64(1) << (max(width, 1) - 1&63)
	minusOne := Mask(^uint64(0), width)
	s.Check = func(a, b uint64) *Fault {
		if b == 0 {
			return byZero
		}
		if signedDiv && b == minusOne && a == least && width > 1 {
			return overflow
		}
		return nil
	}
	leastWide := new(big.Int).Lsh(big.NewInt(1), uint(max(width, 1)-1))
	minusWide := new(big.Int).Sub(new(big.Int).Lsh(leastWide, 1), big.NewInt(1))
	wide := s.Wide
	s.Wide = func(args []*big.Int) (*big.Int, *Fault) {
		if args[1].Sign() == 0 {
			return nil, byZero
		}
		if signedDiv && width > 1 && args[0].Cmp(leastWide) == 0 && args[1].Cmp(minusWide) == 0 {
			return nil, overflow
		}
		return wide(args)
	}
	return s
}

// DivS returns signed division, rounded towards zero.
func DivS(width int) Scalar {
	return divides(signedOp(width, func(a, b int64) int64 { return a / b }, (*big.Int).Quo), width, true)
}

// DivU returns unsigned division.
func DivU(width int) Scalar {
	return divides(intOp(width, func(a, b uint64) uint64 { return a / b }, (*big.Int).Quo), width, false)
}

// RemS returns the remainder of DivS.
func RemS(width int) Scalar {
	return divides(signedOp(width, func(a, b int64) int64 { return a % b }, (*big.Int).Rem), width, false)
}

// RemSOfQuotient is RemS where there must be a quotient: the least number has no
// remainder by -1.
func RemSOfQuotient(width int) Scalar {
	return divides(signedOp(width, func(a, b int64) int64 { return a % b }, (*big.Int).Rem), width, true)
}

// RemU returns the remainder of DivU.
func RemU(width int) Scalar {
	return divides(intOp(width, func(a, b uint64) uint64 { return a % b }, (*big.Int).Rem), width, false)
}

// CeilDivU returns unsigned division, rounded up.
func CeilDivU(width int) Scalar {
	return divides(intOp(width, func(a, b uint64) uint64 {
		q := a / b
		if a%b != 0 {
			q++
		}
		return q
	}, ceilBig), width, false)
}

// CeilDivS returns signed division, rounded up.
func CeilDivS(width int) Scalar {
	return divides(signedOp(width, func(a, b int64) int64 {
		q := a / b
		if a%b != 0 && (a < 0) == (b < 0) {
			q++
		}
		return q
	}, ceilBig), width, true)
}

// FloorDivS returns signed division, rounded down.
func FloorDivS(width int) Scalar {
	return divides(signedOp(width, func(a, b int64) int64 {
		q := a / b
		if a%b != 0 && (a < 0) != (b < 0) {
			q--
		}
		return q
	}, floorBig), width, true)
}

func floorBig(z, a, b *big.Int) *big.Int {
	m := new(big.Int)
	z.QuoRem(a, b, m)
	if m.Sign() != 0 && (m.Sign() < 0) != (b.Sign() < 0) {
		z.Sub(z, big.NewInt(1))
	}
	return z
}

func ceilBig(z, a, b *big.Int) *big.Int {
	m := new(big.Int)
	z.QuoRem(a, b, m)
	if m.Sign() != 0 && (m.Sign() < 0) == (b.Sign() < 0) {
		z.Add(z, big.NewInt(1))
	}
	return z
}

// The results of shifts by the width or more are poison.

func shift(s Scalar, width int) Scalar {
	s.Poison = func(_, b, _ uint64) bool { return b >= uint64(width) }
	limit := big.NewInt(int64(width))
	s.WidePoison = func(args []*big.Int, _ *big.Int) bool { return args[1].Cmp(limit) >= 0 }
	return s
}

// Shl returns the shift to the left.
func Shl(width int) Scalar {
	return shift(intOp(width, func(a, b uint64) uint64 { return a << min(b, 64) },
		func(z, a, b *big.Int) *big.Int { return z.Lsh(a, shiftBy(b, width)) }), width)
}

// ShrU returns the shift to the right that fills with zeros.
func ShrU(width int) Scalar {
	return shift(intOp(width, func(a, b uint64) uint64 { return a >> min(b, 64) },
		func(z, a, b *big.Int) *big.Int { return z.Rsh(a, shiftBy(b, width)) }), width)
}

// ShrS returns the shift to the right that fills with the sign.
func ShrS(width int) Scalar {
	return shift(intOp(width, func(a, b uint64) uint64 { return uint64(SignExtend(a, width) >> min(b, 63)) },
		func(z, a, b *big.Int) *big.Int { return z.Rsh(signed(a, width), shiftBy(b, width)) }), width)
}

// Overflow is a set of promises that an integer operation does not overflow.
type Overflow uint8

// The promises, numbered as arith's overflow flags.
const (
	NoSignedWrap Overflow = 1 << iota
	NoUnsignedWrap
)

// NoOverflow returns an addition, subtraction, multiplication or shift to the left
// whose result is poison where a promise is broken: where the exact result does
// not fit.
func (s Scalar) NoOverflow(width int, flags Overflow) Scalar {
	if flags == 0 {
		return s
	}
	// The results on numbers of any size are exact until they are cut.
	least := new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), uint(max(width, 1)-1)))
	limit := new(big.Int).Lsh(big.NewInt(1), uint(width))
	wide, before := s.Wide, s.WidePoison
	s.WidePoison = func(args []*big.Int, r *big.Int) bool {
		if before != nil && before(args, r) {
			return true
		}
		if flags&NoUnsignedWrap != 0 && (r.Sign() < 0 || r.Cmp(limit) >= 0) {
			return true
		}
		if flags&NoSignedWrap == 0 {
			return false
		}
		// The amount of a shift has no sign.
		x := []*big.Int{signed(args[0], width), args[1]}
		if before == nil {
			x[1] = signed(args[1], width)
		}
		v, _ := wide(x)
		return v.Cmp(least) < 0 || new(big.Int).Neg(v).Cmp(least) <= 0
	}
	poison, wraps := s.WidePoison, s.wraps
	s.Poison = func(a, b, _ uint64) bool {
		if wraps != nil {
			bySign, byZeros := wraps(a, b, width)
			return bySign && flags&NoSignedWrap != 0 || byZeros && flags&NoUnsignedWrap != 0
		}
		args := []*big.Int{new(big.Int).SetUint64(a), new(big.Int).SetUint64(b)}
		if before(args, nil) {
			return true
		}
		r, _ := wide(args)
		return poison(args, r)
	}
	return s
}

func shiftBy(b *big.Int, width int) uint {
	if !b.IsUint64() || b.Uint64() > uint64(width) {
		return uint(width)
	}
	return uint(b.Uint64())
}

// Predicate is a comparison of integers.
type Predicate uint8

// The comparisons.
const (
	EQ Predicate = iota
	NE
	SLT
	SLE
	SGT
	SGE
	ULT
	ULE
	UGT
	UGE
)

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Compare returns a comparison.
func Compare(p Predicate, width int) Scalar {
	var cmp func(a, b uint64) bool
	isSigned := p >= SLT && p <= SGE
	switch p {
	case EQ:
		cmp = func(a, b uint64) bool { return a == b }
	case NE:
		cmp = func(a, b uint64) bool { return a != b }
	case SLT:
		cmp = func(a, b uint64) bool { return SignExtend(a, width) < SignExtend(b, width) }
	case SLE:
		cmp = func(a, b uint64) bool { return SignExtend(a, width) <= SignExtend(b, width) }
	case SGT:
		cmp = func(a, b uint64) bool { return SignExtend(a, width) > SignExtend(b, width) }
	case SGE:
		cmp = func(a, b uint64) bool { return SignExtend(a, width) >= SignExtend(b, width) }
	case ULT:
		cmp = func(a, b uint64) bool { return a < b }
	case ULE:
		cmp = func(a, b uint64) bool { return a <= b }
	case UGT:
		cmp = func(a, b uint64) bool { return a > b }
	default:
		cmp = func(a, b uint64) bool { return a >= b }
	}
	s := Scalar{Wide: func(args []*big.Int) (*big.Int, *Fault) {
		a, b := args[0], args[1]
		if isSigned {
			a, b = signed(a, width), signed(b, width)
		}
		c := a.Cmp(b)
		holds := false
		switch p {
		case EQ:
			holds = c == 0
		case NE:
			holds = c != 0
		case SLT, ULT:
			holds = c < 0
		case SLE, ULE:
			holds = c <= 0
		case SGT, UGT:
			holds = c > 0
		default:
			holds = c >= 0
		}
		return new(big.Int).SetUint64(bit(holds)), nil
	}}
	if width <= 64 {
		s.F2 = func(a, b uint64) uint64 { return bit(cmp(a, b)) }
	}
	return s
}

// Resize returns the conversion of an integer to another width, by its sign or by
// zeros.
func Resize(from, to int, bySign bool) Scalar {
	s := Scalar{Wide: func(args []*big.Int) (*big.Int, *Fault) {
		a := args[0]
		if bySign {
			a = signed(a, from)
		}
		return new(big.Int).Set(a), nil
	}}
	if from <= 64 && to <= 64 {
		s.F1 = func(a uint64) uint64 { return Mask(a, to) }
		if bySign && to > from {
			s.F1 = func(a uint64) uint64 { return Mask(uint64(SignExtend(a, from)), to) }
		}
	}
	return s
}

// Choose returns the second operand where the first is 1, else the third.
func Choose() Scalar {
	return Scalar{
		F3: func(c, a, b uint64) uint64 {
			if c != 0 {
				return a
			}
			return b
		},
		// Whatever the type of the others, see objectOp.
		Objects: func(args []any) any { return args[2] },
		Selects: true,
	}
}

// mulHigh returns the high half of the product of two signed numbers.
func mulHigh(a, b int64) int64 {
	hi, _ := bits.Mul64(uint64(a), uint64(b))
	return int64(hi) - a>>63&b - b>>63&a
}
