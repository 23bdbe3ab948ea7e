package memref

import (
	"math/big"
	"slices"

	"freehold/ir"
)

// maxInequalities limits the work of [extent]; layouts that need more are not normalized.
const maxInequalities = 2000

// lastPosition returns the largest value of an expression over the positions in a shape, or more; false if there is none, or the value may be
// negative. It is found by elimination of variables, where the integers that quotients are count in part, as in mlir-opt.
func lastPosition(e *ir.AffineExpr, shape []int64) (int64, bool) {
	x := newExtent(e, shape)
	if x == nil {
		return 0, false
	}
	x.eliminate()
	var low, high *big.Int
	for _, row := range x.rows {
		switch k, n := row[x.result], row[len(row)-1]; k.Sign() {
		case 1: // result + n >= 0
			if low == nil || low.Cmp(n) > 0 {
				low = n
			}
		case -1: // n - result >= 0
			if high == nil || high.Cmp(n) > 0 {
				high = n
			}
		case 0:
			return 0, false // there are no positions
		}
	}
	if x.rows == nil || high == nil || high.Sign() < 0 || high.BitLen() > 62 {
		return 0, false
	}
	if least := notBelow(e, shape, false); (least == nil || least.Sign() < 0) && (low == nil || low.Sign() > 0) {
		return 0, false
	}
	return high.Int64(), true
}

// notBelow returns a number that no value of an expression is below, by its parts alone; nil if there is none. With above, it is one that no
// value is above.
func notBelow(e *ir.AffineExpr, shape []int64, above bool) *big.Int {
	switch e.Kind {
	case ir.AffineConst:
		return big.NewInt(e.Value)
	case ir.AffineSymbol:
		return nil
	case ir.AffineDim:
		if !above {
			return new(big.Int)
		} else if shape[e.Value] < 0 {
			return nil
		}
		return big.NewInt(shape[e.Value] - 1)
	case ir.AffineMod:
		if above {
			return big.NewInt(e.RHS.Value - 1)
		}
		return new(big.Int)
	case ir.AffineAdd:
		l, r := notBelow(e.LHS, shape, above), notBelow(e.RHS, shape, above)
		if l == nil || r == nil {
			return nil
		}
		return l.Add(l, r)
	}
	n := e.RHS.Value // a positive one, but for products
	l := notBelow(e.LHS, shape, above == (n >= 0))
	if l == nil {
		return nil
	}
	switch e.Kind {
	case ir.AffineMul:
		return l.Mul(l, big.NewInt(n))
	case ir.AffineCeilDiv:
		l.Add(l, big.NewInt(n-1))
	}
	return l.Div(l, big.NewInt(n))
}

// extent is a system of inequalities: rows have the coefficients of dimensions and symbols, quotients and the result, and a constant; the
// sum isn't negative.
type extent struct {
	rows   [][]*big.Int
	inputs int // number of dimensions and symbols, which come first
	result int // the place of the result
	// equation is a sum that is 0, nil if it has been used.
	equation []*big.Int
	of       map[division]int // places of quotients
}

// division is what a quotient is of; up tells that it is rounded up.
type division struct {
	of, by *ir.AffineExpr
	up     bool
}

// newExtent returns the system of an expression; nil if it is no affine one, or divides by what isn't positive.
func newExtent(e *ir.AffineExpr, shape []int64) *extent {
	divisions, symbols := 0, int64(0)
	e.Walk(func(x *ir.AffineExpr) {
		switch x.Kind {
		case ir.AffineMod, ir.AffineFloorDiv, ir.AffineCeilDiv:
			divisions++
		case ir.AffineSymbol:
			symbols = max(symbols, x.Value+1)
		}
	})
	x := &extent{inputs: len(shape) + int(symbols), of: map[division]int{}}
	x.result = x.inputs + divisions
	for d, size := range shape {
		if size < 0 {
			continue
		}
		first, last := x.row(), x.row()
		first[d].SetInt64(1)
		last[d].SetInt64(-1)
		last[len(last)-1].SetInt64(size - 1)
		x.rows = append(x.rows, first, last)
	}
	if x.equation = x.flatten(e, len(shape)); x.equation == nil {
		return nil
	}
	x.equation[x.result].SetInt64(-1)
	return x
}

func (x *extent) row() []*big.Int {
	row := make([]*big.Int, x.result+2)
	for i := range row {
		row[i] = new(big.Int)
	}
	return row
}

// flatten writes an expression as a sum of dimensions, symbols, quotients and a constant.
func (x *extent) flatten(e *ir.AffineExpr, dims int) []*big.Int {
	row := x.row()
	switch e.Kind {
	case ir.AffineConst:
		row[len(row)-1].SetInt64(e.Value)
		return row
	case ir.AffineDim:
		row[e.Value].SetInt64(1)
		return row
	case ir.AffineSymbol:
		row[dims+int(e.Value)].SetInt64(1)
		return row
	}
	l := x.flatten(e.LHS, dims)
	switch {
	case l == nil:
		return nil
	case e.Kind == ir.AffineAdd:
		r := x.flatten(e.RHS, dims)
		if r == nil {
			return nil
		}
		return combine(l, r, big.NewInt(1), big.NewInt(1))
	case e.RHS.Kind != ir.AffineConst:
		return nil
	case e.Kind == ir.AffineMul:
		return combine(l, row, big.NewInt(e.RHS.Value), new(big.Int))
	case e.RHS.Value < 1:
		return nil
	}
	by := big.NewInt(e.RHS.Value)
	key := division{e.LHS, e.RHS, e.Kind == ir.AffineCeilDiv}
	if key.up {
		last := l[len(l)-1]
		last.Add(last, big.NewInt(e.RHS.Value-1))
	}
	q, known := x.of[key]
	if !known {
		q = x.inputs + len(x.of)
		x.of[key] = q
		// 0 <= l - by*q <= by-1
		quotient := x.row()
		quotient[q].Set(by)
		x.rows = append(x.rows, combine(l, quotient, big.NewInt(1), big.NewInt(-1)))
		above := combine(quotient, l, big.NewInt(1), big.NewInt(-1))
		above[len(above)-1].Add(above[len(above)-1], big.NewInt(e.RHS.Value-1))
		x.rows = append(x.rows, above)
	}
	row[q].SetInt64(1)
	if e.Kind == ir.AffineMod {
		return combine(l, row, big.NewInt(1), new(big.Int).Neg(by))
	}
	return row
}

// combine returns a*k + b*n.
func combine(a, b []*big.Int, k, n *big.Int) []*big.Int {
	row := make([]*big.Int, len(a))
	for i := range row {
		row[i] = new(big.Int).Mul(a[i], k)
		row[i].Add(row[i], new(big.Int).Mul(b[i], n))
	}
	return row
}

// eliminate leaves inequalities of the result alone: none if there were too many.
func (x *extent) eliminate() {
	for _, span := range [][2]int{{0, x.inputs}, {x.inputs, x.result}} {
		left := make([]int, 0, span[1]-span[0])
		for v := span[0]; v < span[1]; v++ {
			if x.equation != nil && x.equation[v].Sign() != 0 {
				x.substitute(v)
			} else {
				left = append(left, v)
			}
		}
		for len(left) > 0 && x.rows != nil {
			i := x.cheapest(left)
			x.drop(left[i])
			left = slices.Delete(left, i, i+1)
		}
	}
	if x.equation != nil { // the result is a constant
		minus := combine(x.equation, x.equation, big.NewInt(-1), new(big.Int))
		x.rows = append(x.rows, tightened(x.equation), tightened(minus))
	}
}

// substitute replaces a variable by what the equation says that it is.
func (x *extent) substitute(v int) {
	eq := x.equation
	x.equation = nil
	sign := big.NewInt(int64(eq[v].Sign()))
	size := new(big.Int).Abs(eq[v])
	var rows [][]*big.Int
	for _, row := range x.rows {
		if row[v].Sign() != 0 {
			row = combine(row, eq, size, new(big.Int).Neg(new(big.Int).Mul(row[v], sign)))
		}
		rows = add(rows, row)
	}
	x.rows = rows
}

// cheapest returns which of the variables leads to the fewest inequalities.
func (x *extent) cheapest(vars []int) int {
	best, least := 0, 0
	for i, v := range vars {
		below, above := 0, 0
		for _, row := range x.rows {
			switch row[v].Sign() {
			case 1:
				below++
			case -1:
				above++
			}
		}
		if cost := below*above - below - above; i == 0 || cost < least {
			best, least = i, cost
		}
	}
	return best
}

// drop replaces the inequalities with a variable by those that follow from pairs of them.
func (x *extent) drop(v int) {
	var rows [][]*big.Int
	for _, row := range x.rows {
		if row[v].Sign() == 0 {
			rows = add(rows, row)
		}
	}
	for _, low := range x.rows {
		for _, high := range x.rows {
			if low[v].Sign() == 1 && high[v].Sign() == -1 {
				rows = add(rows, combine(low, high, new(big.Int).Neg(high[v]), low[v]))
			}
		}
		if len(rows) > maxInequalities {
			x.rows = nil
			return
		}
	}
	x.rows = rows
}

// add appends an inequality if it says something that no other does.
func add(rows [][]*big.Int, row []*big.Int) [][]*big.Int {
	row = tightened(row)
	last := len(row) - 1
	if row[last].Sign() >= 0 && !slices.ContainsFunc(row[:last], func(k *big.Int) bool { return k.Sign() != 0 }) {
		return rows
	}
	for _, r := range rows {
		if slices.EqualFunc(r[:last], row[:last], func(a, b *big.Int) bool { return a.Cmp(b) == 0 }) {
			if row[last].Cmp(r[last]) < 0 {
				r[last].Set(row[last])
			}
			return rows
		}
	}
	return append(rows, row)
}

// tightened divides an inequality by what all coefficients are multiples of, and rounds the constant.
func tightened(row []*big.Int) []*big.Int {
	by := new(big.Int)
	for _, k := range row[:len(row)-1] {
		by.GCD(nil, nil, by, new(big.Int).Abs(k))
	}
	if by.Sign() == 0 || by.IsInt64() && by.Int64() == 1 {
		return row
	}
	out := make([]*big.Int, len(row))
	for i, k := range row {
		out[i] = new(big.Int).Div(k, by)
	}
	return out
}
