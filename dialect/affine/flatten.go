package affine

import (
	"slices"

	"freehold/ir"
)

// linear is a sum of dimensions, symbols, local terms and a constant.
type linear struct {
	dims, syms, locals []int64
	constant           int64
}

// flattener writes expressions as sums. Divisions of sums, and products, divisions
// and remainders of which both sides are unknown, are local terms, which are
// numbered as they are met.
type flattener struct {
	c          *ir.Context
	dims, syms int
	locals     []*ir.AffineExpr
	// divisions are the sums that quotients and remainders are: expressions are shared, and
	// written out they can be exponentially larger.
	divisions map[*ir.AffineExpr]linear
}

// normalize returns the expression as a sum in the order of its operands, or as it
// is if a divisor is a constant below 1.
func normalize(c *ir.Context, e *ir.AffineExpr, dims, syms int) *ir.AffineExpr {
	pure := e.PureAffine()
	if !pure {
		e = cancelSymbols(c, e)
		pure = e.PureAffine()
	}
	f := flattener{c: c, dims: dims, syms: syms}
	l, ok := f.flatten(e)
	if !ok {
		return e
	}
	flat := f.build(l)
	if pure || flat == e {
		return flat
	}
	return f.buildSemiAffine(l)
}

func (f *flattener) zero() linear {
	return linear{make([]int64, f.dims), make([]int64, f.syms), make([]int64, len(f.locals)), 0}
}

// local returns the sum that is only the local term x.
func (f *flattener) local(x *ir.AffineExpr) linear {
	at := slices.Index(f.locals, x)
	if at < 0 {
		at = len(f.locals)
		f.locals = append(f.locals, x)
	}
	out := f.zero()
	out.locals[at] = 1
	return out
}

func (f *flattener) build(l linear) *ir.AffineExpr {
	c := f.c
	e := c.AffineConstant(0)
	add := func(x *ir.AffineExpr, k int64) {
		if k != 0 {
			e = c.AffineAdd(e, c.AffineMul(x, c.AffineConstant(k)))
		}
	}
	for i, k := range l.dims {
		add(c.AffineDim(i), k)
	}
	for i, k := range l.syms {
		add(c.AffineSymbol(i), k)
	}
	for i, k := range l.locals {
		add(f.locals[i], k)
	}
	return c.AffineAdd(e, c.AffineConstant(l.constant))
}

func (f *flattener) flatten(e *ir.AffineExpr) (linear, bool) {
	switch e.Kind {
	case ir.AffineConst:
		l := f.zero()
		l.constant = e.Value
		return l, true
	case ir.AffineDim:
		l := f.zero()
		l.dims[e.Value] = 1
		return l, true
	case ir.AffineSymbol:
		l := f.zero()
		l.syms[e.Value] = 1
		return l, true
	case ir.AffineAdd:
		l, ok1 := f.flatten(e.LHS)
		r, ok2 := f.flatten(e.RHS)
		if !ok1 || !ok2 {
			return l, false
		}
		return sumOf(l, r, 1), true
	case ir.AffineMul:
		if e.RHS.Kind != ir.AffineConst {
			return f.semiAffine(e)
		}
		l, ok := f.flatten(e.LHS)
		return sumOf(f.zero(), l, e.RHS.Value), ok
	}
	if e.RHS.Kind != ir.AffineConst {
		return f.semiAffine(e)
	}
	n := e.RHS.Value
	if n < 1 {
		return linear{}, false
	}
	if l, ok := f.divisions[e]; ok {
		return l, true
	}
	l, ok := f.flatten(e.LHS)
	if !ok {
		return l, false
	}
	if e.Kind == ir.AffineMod {
		l = sumOf(l, f.div(l, n, ir.AffineFloorDiv), -n)
	} else {
		l = f.div(l, n, e.Kind)
	}
	if f.divisions == nil {
		f.divisions = map[*ir.AffineExpr]linear{}
	}
	f.divisions[e] = l
	return l, true
}

// div returns the division of a sum: a sum where it has no remainder, or a term.
func (f *flattener) div(l linear, n int64, kind ir.AffineKind) linear {
	g := gcd(n, l.constant)
	for _, list := range [][]int64{l.dims, l.syms, l.locals} {
		for _, k := range list {
			g = gcd(g, k)
		}
	}
	l = l.quotient(g)
	if n /= g; n == 1 {
		return l
	}
	x := f.c.AffineBinary(kind, f.build(l), f.c.AffineConstant(n))
	return f.local(x)
}

// semiAffine makes a product, division or remainder of two sums a local term.
func (f *flattener) semiAffine(e *ir.AffineExpr) (linear, bool) {
	l, ok1 := f.flatten(e.LHS)
	r, ok2 := f.flatten(e.RHS)
	if !ok1 || !ok2 {
		return linear{}, false
	}
	return f.local(f.c.AffineBinary(e.Kind, f.build(l), f.build(r))), true
}

func (l linear) quotient(g int64) linear {
	by := func(list []int64) []int64 {
		out := make([]int64, len(list))
		for i, k := range list {
			out[i] = k / g
		}
		return out
	}
	return linear{by(l.dims), by(l.syms), by(l.locals), l.constant / g}
}

// sumOf returns l + k*r.
func sumOf(l, r linear, k int64) linear {
	add := func(a, b []int64) []int64 {
		out := make([]int64, max(len(a), len(b)))
		copy(out, a)
		for i, x := range b {
			out[i] += k * x
		}
		return out
	}
	return linear{add(l.dims, r.dims), add(l.syms, r.syms), add(l.locals, r.locals), l.constant + k*r.constant}
}

// normalize writes the expressions of the bound as sums, but not where these would be much larger
// than what can be put into others.
func (b *bound) normalize() {
	for i, e := range b.exprs {
		if sum := normalize(b.c, e, len(b.dims), len(b.syms)); sum != e && within([]*ir.AffineExpr{sum}, 8*largest) {
			b.exprs[i] = sum
		}
	}
}
