package emitc

import (
	"fmt"

	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/ir"
)

// placeNest is a nest that finds the first of the greatest or least integers of a row, and where it is. A number and its place become one integer, the greatest of which compilers find several
// at a time; one after the other, each would wait for the choice before.
type placeNest struct {
	in *ir.Value
	// number and place are which results they are.
	number, place int
	least         bool
	// shift is how many bits of the integer are the place, which is counted from its end.
	shift   int
	keyType string
	best    string
}

// placed returns how the nest finds a number and its place, if that is all it does, in the innermost loop; else nil.
func (n *nest) placed(sums int) *placeNest {
	if !n.free || sums != len(n.loops)-1 || len(n.operands) != n.inits+2 {
		return nil
	}
	body := n.op.BodyBlock(0)
	yield := body.Last()
	if yield == nil || yield.NumOperands() != 2 {
		return nil
	}
	for number := range 2 {
		p := &placeNest{number: number, place: 1 - number}
		if p.matches(n, body, yield) {
			return p
		}
	}
	return nil
}

// matches tells whether the results of the body are chosen by a comparison with the best number so far, and nothing else is computed.
func (p *placeNest) matches(n *nest, body *ir.Block, yield *ir.Op) bool {
	best, at := n.operands[n.inits+p.number].arg, n.operands[n.inits+p.place].arg
	value, where := yield.Operand(p.number).DefiningOp(), yield.Operand(p.place).DefiningOp()
	if best == nil || at == nil || value == nil || where == nil || !value.Is(arith.Select) || !where.Is(arith.Select) || value.Operand(0) != where.Operand(0) {
		return false
	}
	p.in = value.Operand(1)
	test := value.Operand(0).DefiningOp()
	if value.Operand(2) != best || where.Operand(2) != at || test == nil || !test.Is(arith.CmpI) || p.in.ArgOwner() != body || p.in == best || p.in == at {
		return false
	}
	const lesser, greater = 2, 4 // of arith.cmpi, with signs
	switch predicate := arith.Predicate(test); {
	case test.Operand(0) == p.in && test.Operand(1) == best && (predicate == greater || predicate == lesser):
		p.least = predicate == lesser
	case test.Operand(1) == p.in && test.Operand(0) == best && (predicate == greater || predicate == lesser):
		p.least = predicate == greater
	default:
		return false
	}
	ops := 5 // these, the index, and what yields
	index := where.Operand(1).DefiningOp()
	if index != nil && index.Is(arith.IndexCast) {
		index = index.OnlyOperand().DefiningOp()
		ops++
	}
	inner := n.loops[len(n.loops)-1]
	if index == nil || !index.Is(linalg.Index) || int((linalg.IndexOp{Op: index}).Dim()) != inner {
		return false
	}
	for range body.Ops() {
		ops--
	}
	size, known := number(n.sizes[inner])
	t, ok := p.in.Type().(*ir.IntegerType)
	if !ok || !known || ops != 0 {
		return false
	}
	p.keyType = "int32_t"
	switch t.Width {
	case 8, 16:
		p.shift = 31 - t.Width
	case 32:
		p.shift, p.keyType = 31, "int64_t"
	default:
		return false
	}
	return size < 1<<p.shift
}

// mask returns the greatest place.
func (p *placeNest) mask() int64 { return 1<<p.shift - 1 }

// begin declares the variable for the integer of the best number and its place.
func (p *placeNest) begin(f *function) {
	least := "INT32_MIN"
	if p.keyType == "int64_t" {
		least = "INT64_MIN"
	}
	p.best = f.variable("best", p.keyType, least)
}

// combine compares with the number at a place.
func (p *placeNest) combine(f *function, at string) {
	value := "(" + p.keyType + ")" + f.m.signed(p.in.Type(), f.value(p.in))
	if p.least {
		value = "~" + value
	}
	k := f.define("key", p.keyType, fmt.Sprintf("%s * (%s)%s + (%s - (%s)%s)", value, p.keyType, constant(p.mask()+1), constant(p.mask()), p.keyType, at))
	f.assign(p.best, k+" > "+p.best+" ? "+k+" : "+p.best)
}

// end changes what was found before, if a number is better.
func (p *placeNest) end(n *nest, number, place string) {
	f, t := n.f, p.in.Type()
	value, sign := fmt.Sprintf("%s >> %d", p.best, p.shift), ">"
	if p.least {
		value, sign = "~("+value+")", "<"
	}
	value = f.define("found", p.keyType, value)
	f.openf("if (%s %s %s)", value, sign, f.m.signed(t, number))
	f.assign(place, fmt.Sprintf("(%s)(%s - (%s & %s))", f.ctype(n.op, n.operands[n.inits+p.place].r.elem), constant(p.mask()), p.best, constant(p.mask())))
	f.assign(number, fmt.Sprintf("(%s)%s", f.ctype(n.op, t), value))
	f.close()
}
