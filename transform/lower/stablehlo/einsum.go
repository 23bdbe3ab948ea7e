package stablehlo

import (
	"slices"
	"strings"

	"freehold/dialect/arith"
	"freehold/dialect/complex"
	"freehold/dialect/linalg"
	"freehold/dialect/stablehlo"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// einsum sums products along the dimensions whose letters the result doesn't have: "ij,jk->ik".
func (l *lowering) einsum(op *ir.Op) ([]*ir.Value, error) {
	config := strings.ReplaceAll(op.Attr("einsum_config").(*ir.StringAttr).Value, " ", "")
	from, to, ok := strings.Cut(config, "->")
	terms := strings.Split(from, ",")
	if !ok || len(terms) != op.NumOperands() || strings.Contains(config, ".") {
		return nil, errorf("its configuration is %q", config)
	}
	b := l.b
	c := b.Context()
	t := rankedResult(op, 0)
	letters := []rune(to)
	extents := map[rune]size{}
	for i, term := range terms {
		v := op.Operand(i)
		if len(term) != len(ranked(v).Shape) {
			return nil, errorf("%q has another number of dimensions than operand %d", term, i)
		}
		for d, s := range sizesOf(b, v) {
			r := rune(term[d])
			if _, seen := extents[r]; !seen {
				extents[r] = s
			}
			if !slices.Contains(letters, r) {
				letters = append(letters, r)
			}
		}
	}
	exprs := func(term string) *ir.AffineMap {
		list := make([]*ir.AffineExpr, len(term))
		for i, r := range term {
			list[i] = c.AffineDim(slices.Index(letters, r))
		}
		return c.AffineMap(len(letters), 0, list...)
	}
	sizes := make([]size, len(to))
	for i, r := range to {
		s, seen := extents[r]
		if !seen || len(to) != len(t.Shape) {
			return nil, errorf("its configuration is %q", config)
		}
		sizes[i] = s
	}
	iterators := parallel(len(letters))
	for i := len(to); i < len(letters); i++ {
		iterators[i] = interfaces.Reduction
	}
	maps := []*ir.AffineMap{exprs(terms[0])}
	if len(terms) == 2 {
		maps = append(maps, exprs(terms[1]), exprs(to))
		return one(l.product(stablehlo.EinsumOp{Op: op}.LHS(), stablehlo.EinsumOp{Op: op}.RHS(), l.agree(sizes, t.Shape), t.Elem, maps, iterators)), nil
	}
	e := &element{Builder: b}
	p := plain(c, t.Elem)
	zero := enter(b, e.number(p, 0), t.Elem)
	return linalg.NewGeneric(b, one(op.OnlyOperand()), one(l.filled(l.agree(sizes, t.Shape), zero)), append(maps, exprs(to)), iterators, func(_ *ir.Builder, args []*ir.Value) []*ir.Value {
		sum := arithmetic(arith.OrI, arith.AddI, arith.AddF, complex.Add)(e, []*ir.Value{enter(b, args[1], p), enter(b, args[0], p)})
		return one(enter(b, sum, t.Elem))
	}).Results().Values(), nil
}
