package naive

import (
	"math/big"

	"freehold/ir"
)

// width returns the number of bits of an integer or float type, and 64 for index.
func width(t ir.Type) int {
	switch t := t.(type) {
	case *ir.IntegerType:
		return t.Width
	case *ir.FloatType:
		return t.Width
	}
	return 64
}

// wrap cuts a number to a width, in place.
func wrap(v *big.Int, w int) *big.Int { return v.Mod(v, new(big.Int).Lsh(big.NewInt(1), uint(w))) }

// signed returns the number with the highest bit as its sign.
func signed(v *big.Int, w int) *big.Int {
	if w > 0 && v.Bit(w-1) == 1 {
		return new(big.Int).Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(w)))
	}
	return v
}

func truth(b bool) *big.Int {
	if b {
		return big.NewInt(1)
	}
	return new(big.Int)
}

// least and greatest signed number of a width.
func limits(w int) (least, greatest *big.Int) {
	half := new(big.Int).Lsh(big.NewInt(1), uint(max(w, 1)-1))
	return new(big.Int).Neg(half), new(big.Int).Sub(half, big.NewInt(1))
}

// divides lists the operations of which an undefined second operand is wrong.
var divides = map[string]bool{}

type integerFunction = func(op *ir.Op, in []ir.Type, out ir.Type, args []any) any

// onUnsigned is an operation on numbers from 0 up; onSigned one on signed numbers. What
// they return is cut to the width.
func onUnsigned(fn func(w int, a, b *big.Int) *big.Int) integerFunction {
	return func(_ *ir.Op, in []ir.Type, _ ir.Type, args []any) any {
		w := width(in[0])
		return wrap(new(big.Int).Set(fn(w, args[0].(*big.Int), args[1].(*big.Int))), w)
	}
}

func onSigned(fn func(w int, a, b *big.Int) *big.Int) integerFunction {
	return func(_ *ir.Op, in []ir.Type, _ ir.Type, args []any) any {
		w := width(in[0])
		return wrap(new(big.Int).Set(fn(w, signed(args[0].(*big.Int), w), signed(args[1].(*big.Int), w))), w)
	}
}

// exactly is an operation with an exact result, which may overflow: then it is undefined
// if the flags promise otherwise (1 for signed numbers, 2 for unsigned ones).
func exactly(fn func(a, b *big.Int) *big.Int) integerFunction {
	return func(op *ir.Op, in []ir.Type, _ ir.Type, args []any) any {
		w := width(in[0])
		a, b := args[0].(*big.Int), args[1].(*big.Int)
		flags := uint64(0)
		if e, ok := op.Attr("overflowFlags").(*ir.EnumAttr); ok {
			flags = e.Value
		}
		s, u := fn(signed(a, w), signed(b, w)), fn(a, b)
		least, most := limits(w)
		if flags&1 != 0 && (s.Cmp(least) < 0 || s.Cmp(most) > 0) {
			return Undefined{}
		}
		if flags&2 != 0 && (u.Sign() < 0 || u.BitLen() > w) {
			return Undefined{}
		}
		return wrap(u, w)
	}
}

// division is an operation that is wrong for a divisor of 0, and, on signed numbers, for
// a quotient that is no number of the width; -1 of one bit divides itself, as in MLIR.
func division(isSigned, overflows bool, fn func(a, b *big.Int) *big.Int) integerFunction {
	return func(op *ir.Op, in []ir.Type, _ ir.Type, args []any) any {
		w := width(in[0])
		a, b := args[0].(*big.Int), args[1].(*big.Int)
		if b.Sign() == 0 {
			return &Wrong{op, DivisionByZero, "division by zero"}
		}
		if isSigned {
			a, b = signed(a, w), signed(b, w)
			least, _ := limits(w)
			if overflows && w > 1 && a.Cmp(least) == 0 && b.Cmp(big.NewInt(-1)) == 0 {
				return &Wrong{op, Unspecified, "the quotient overflows"}
			}
		}
		return wrap(fn(a, b), w)
	}
}

func quotient(a, b *big.Int) *big.Int { return new(big.Int).Quo(a, b) }
func rest(a, b *big.Int) *big.Int     { return new(big.Int).Rem(a, b) }

func floorQuotient(a, b *big.Int) *big.Int {
	q, r := new(big.Int).QuoRem(a, b, new(big.Int))
	if r.Sign() != 0 && r.Sign() != b.Sign() {
		q.Sub(q, big.NewInt(1))
	}
	return q
}

func ceilQuotient(a, b *big.Int) *big.Int {
	q, r := new(big.Int).QuoRem(a, b, new(big.Int))
	if r.Sign() != 0 && r.Sign() == b.Sign() {
		q.Add(q, big.NewInt(1))
	}
	return q
}

// shift is undefined for an amount of at least the width.
func shift(isSigned bool, fn func(a *big.Int, n uint) *big.Int) integerFunction {
	return func(op *ir.Op, in []ir.Type, _ ir.Type, args []any) any {
		w := width(in[0])
		a, n := args[0].(*big.Int), args[1].(*big.Int)
		if n.Cmp(big.NewInt(int64(w))) >= 0 {
			return Undefined{}
		}
		if isSigned {
			a = signed(a, w)
		}
		return wrap(fn(a, uint(n.Int64())), w)
	}
}

// shiftLeft is exactly for a power of two.
func shiftLeft(op *ir.Op, in []ir.Type, out ir.Type, args []any) any {
	w := width(in[0])
	n := args[1].(*big.Int)
	if n.Cmp(big.NewInt(int64(w))) >= 0 {
		return Undefined{}
	}
	return exactly(func(a, _ *big.Int) *big.Int { return new(big.Int).Lsh(a, uint(n.Int64())) })(op, in, out, args)
}

func larger(a, b *big.Int, order int) *big.Int {
	if a.Cmp(b) == order {
		return a
	}
	return b
}

func compareIntegers(attr string) integerFunction {
	return func(op *ir.Op, in []ir.Type, _ ir.Type, args []any) any {
		w := width(in[0])
		a, b := args[0].(*big.Int), args[1].(*big.Int)
		p := int64(0)
		switch e := op.Attr(attr).(type) {
		case *ir.EnumAttr:
			p = int64(e.Value)
		case *ir.IntegerAttr:
			p = e.Value
		}
		c, s := a.Cmp(b), signed(a, w).Cmp(signed(b, w))
		return truth([]bool{c == 0, c != 0, s < 0, s <= 0, s > 0, s >= 0, c < 0, c <= 0, c > 0, c >= 0}[p])
	}
}

func resize(isSigned bool) integerFunction {
	return func(op *ir.Op, in []ir.Type, out ir.Type, args []any) any {
		v := args[0].(*big.Int)
		if isSigned {
			v = signed(v, width(in[0]))
		}
		return wrap(new(big.Int).Set(v), width(out))
	}
}

func integerFunctions() map[string]integerFunction {
	return map[string]integerFunction{
		"arith.extsi":          resize(true),
		"arith.extui":          resize(false),
		"arith.trunci":         resize(false),
		"arith.index_cast":     resize(true),
		"arith.index_castui":   resize(false),
		"index.casts":          resize(true),
		"index.castu":          resize(false),
		"arith.cmpi":           compareIntegers("predicate"),
		"index.cmp":            compareIntegers("pred"),
		"arith.addui_extended": extended(false, func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }),
		"arith.mulsi_extended": extended(true, func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }),
		"arith.mului_extended": extended(false, func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }),
		"arith.select": func(_ *ir.Op, _ []ir.Type, _ ir.Type, args []any) any {
			c, ok := args[0].(*big.Int)
			switch {
			case !ok:
				return Undefined{}
			case c.Sign() != 0:
				return args[1]
			}
			return args[2]
		},
		"math.absi": func(_ *ir.Op, in []ir.Type, _ ir.Type, args []any) any {
			w := width(in[0])
			return wrap(new(big.Int).Abs(signed(args[0].(*big.Int), w)), w)
		},
		"math.ctlz": countBits(func(bits []uint) int {
			n := 0
			for i := len(bits) - 1; i >= 0 && bits[i] == 0; i-- {
				n++
			}
			return n
		}),
		"math.cttz": countBits(func(bits []uint) int {
			n := 0
			for n < len(bits) && bits[n] == 0 {
				n++
			}
			return n
		}),
		"math.ctpop": countBits(func(bits []uint) int {
			n := 0
			for _, b := range bits {
				n += int(b)
			}
			return n
		}),
		"math.ipowi": func(op *ir.Op, in []ir.Type, _ ir.Type, args []any) any {
			w := width(in[0])
			a, n := signed(args[0].(*big.Int), w), signed(args[1].(*big.Int), w)
			if n.Sign() < 0 {
				switch {
				case a.Sign() == 0:
					return &Wrong{op, DivisionByZero, "zero is raised to a negative power"}
				case a.CmpAbs(big.NewInt(1)) != 0:
					return new(big.Int)
				case n.Bit(0) == 0:
					return wrap(big.NewInt(1), w)
				}
				return args[0]
			}
			r := wrap(big.NewInt(1), w)
			for i := n.BitLen() - 1; i >= 0; i-- {
				r = wrap(r.Mul(r, r), w)
				if n.Bit(i) == 1 {
					r = wrap(r.Mul(r, a), w)
				}
			}
			return r
		},
	}
}

func countBits(fn func(bits []uint) int) integerFunction {
	return func(_ *ir.Op, in []ir.Type, _ ir.Type, args []any) any {
		w := width(in[0])
		bits := make([]uint, w)
		for i := range bits {
			bits[i] = args[0].(*big.Int).Bit(i)
		}
		return wrap(big.NewInt(int64(fn(bits))), w)
	}
}

// extended returns the low part of a result, and what is above.
func extended(isSigned bool, fn func(a, b *big.Int) *big.Int) integerFunction {
	return func(op *ir.Op, in []ir.Type, _ ir.Type, args []any) any {
		w := width(in[0])
		a, b := args[0].(*big.Int), args[1].(*big.Int)
		if isSigned {
			a, b = signed(a, w), signed(b, w)
		}
		full := fn(a, b)
		high := new(big.Int).Rsh(full, uint(w))
		return []any{wrap(new(big.Int).Set(full), w), wrap(high, width(ir.ElementType(op.Result(1).Type())))}
	}
}

// fillIntegers adds the operations of arith and index that have the same names.
func fillIntegers() {
	for name, fn := range map[string]integerFunction{
		"add":       exactly(func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }),
		"sub":       exactly(func(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }),
		"mul":       exactly(func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }),
		"divs":      division(true, true, quotient),
		"divu":      division(false, false, quotient),
		"rems":      division(true, false, rest),
		"remu":      division(false, false, rest),
		"ceildivs":  division(true, true, ceilQuotient),
		"ceildivu":  division(false, false, ceilQuotient),
		"floordivs": division(true, true, floorQuotient),
		"and":       onUnsigned(func(_ int, a, b *big.Int) *big.Int { return new(big.Int).And(a, b) }),
		"or":        onUnsigned(func(_ int, a, b *big.Int) *big.Int { return new(big.Int).Or(a, b) }),
		"xor":       onUnsigned(func(_ int, a, b *big.Int) *big.Int { return new(big.Int).Xor(a, b) }),
		"shl":       shiftLeft,
		"shrs":      shift(true, func(a *big.Int, n uint) *big.Int { return new(big.Int).Rsh(a, n) }),
		"shru":      shift(false, func(a *big.Int, n uint) *big.Int { return new(big.Int).Rsh(a, n) }),
		"maxs":      onSigned(func(_ int, a, b *big.Int) *big.Int { return larger(a, b, 1) }),
		"maxu":      onUnsigned(func(_ int, a, b *big.Int) *big.Int { return larger(a, b, 1) }),
		"mins":      onSigned(func(_ int, a, b *big.Int) *big.Int { return larger(a, b, -1) }),
		"minu":      onUnsigned(func(_ int, a, b *big.Int) *big.Int { return larger(a, b, -1) }),
	} {
		arith := name + "i"
		elementwise["arith."+arith], elementwise["index."+name] = fn, fn
		if len(name) >= 4 && (name[:3] == "div" || name[:3] == "rem" || name[:3] == "cei" || name[:3] == "flo") {
			divides["arith."+arith], divides["index."+name] = true, true
		}
	}
}
