package stablehlo

import (
	"freehold/dialect/arith"
	"freehold/dialect/scf"
	"freehold/ir"
)

// squarings raises an integer to a power that is taken as unsigned, modulo the numbers of its type: by a square for each bit of the power.
func (e *element) squarings(x, n *ir.Value) *ir.Value {
	t := x.Type().(*ir.IntegerType)
	one, zero := e.integer(t, 1), e.integer(t, 0)
	b := e.Builder
	loop := scf.NewFor(b, index(b, 0), index(b, int64(t.Width)), index(b, 1), []*ir.Value{one, x, n},
		func(_ *ir.Builder, _ *ir.Value, args []*ir.Value) []*ir.Value {
			product, square, rest := args[0], args[1], args[2]
			odd := e.cmpI(arith.NE, e.New(arith.AndI, rest, one), zero)
			next := e.choose(odd, e.New(arith.MulI, product, square), product)
			shifted := rest
			if t.Width > 1 {
				shifted = e.New(arith.ShRUI, rest, one)
			}
			return []*ir.Value{next, e.New(arith.MulI, square, square), shifted}
		})
	return loop.Result(0)
}
