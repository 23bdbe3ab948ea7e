package ir

import "slices"

// AffineKind is the kind of an affine expression.
type AffineKind uint8

// The kinds of affine expressions.
const (
	AffineConst AffineKind = iota
	AffineDim
	AffineSymbol
	AffineAdd
	AffineMul
	AffineMod
	AffineFloorDiv
	AffineCeilDiv
)

// AffineExpr is an expression over dimensions and symbols. Expressions are
// uniqued, so == compares them, and simplified as they are built.
type AffineExpr struct {
	uniq
	Kind AffineKind
	// Value is the constant, or the position of the dimension or symbol.
	Value int64
	// LHS and RHS are the operands of a binary expression.
	LHS, RHS *AffineExpr
	symbolic bool // has no dimension in it
	// divisor is the largest known constant that divides the expression.
	divisor int64
}

func (c *Context) affine(kind AffineKind, v int64, l, r *AffineExpr) *AffineExpr {
	k := newKey(kAffineExpr)
	k.uint(uint64(kind))
	k.int(v)
	if l != nil {
		k.ref(l)
		k.ref(r)
	}
	return c.uniquer.get(k, func() uniqued {
		symbolic := kind != AffineDim && (l == nil || l.symbolic && r.symbolic)
		e := &AffineExpr{Kind: kind, Value: v, LHS: l, RHS: r, symbolic: symbolic, divisor: 1}
		switch kind {
		case AffineConst:
			e.divisor = abs64(v)
		case AffineMul:
			e.divisor = l.divisor * r.divisor
		case AffineAdd, AffineMod:
			e.divisor = gcd64(l.divisor, r.divisor)
		}
		return e
	}).(*AffineExpr)
}

// AffineConstant returns the constant v.
func (c *Context) AffineConstant(v int64) *AffineExpr { return c.affine(AffineConst, v, nil, nil) }

// AffineDim returns the dimension d<i>.
func (c *Context) AffineDim(i int) *AffineExpr {
	if uint(i) >= uint(len(c.dims)) {
		return c.affine(AffineDim, int64(i), nil, nil)
	}
	// There are few others in most programs, and they are asked for all the time.
	e := c.dims[i].Load()
	if e == nil {
		e = c.affine(AffineDim, int64(i), nil, nil)
		c.dims[i].Store(e)
	}
	return e
}

// AffineSymbol returns the symbol s<i>.
func (c *Context) AffineSymbol(i int) *AffineExpr { return c.affine(AffineSymbol, int64(i), nil, nil) }

// IsConst tells whether the expression is the constant v.
func (e *AffineExpr) IsConst(v int64) bool { return e.Kind == AffineConst && e.Value == v }

// SymbolicOrConstant tells whether the expression has no dimension in it.
func (e *AffineExpr) SymbolicOrConstant() bool { return e.symbolic }

// PureAffine tells whether products have a constant factor and divisors and
// moduli are constants.
func (e *AffineExpr) PureAffine() bool {
	switch e.Kind {
	case AffineConst, AffineDim, AffineSymbol:
		return true
	case AffineAdd:
		return e.LHS.PureAffine() && e.RHS.PureAffine()
	case AffineMul:
		return e.LHS.PureAffine() && e.RHS.PureAffine() && (e.LHS.Kind == AffineConst || e.RHS.Kind == AffineConst)
	}
	return e.LHS.PureAffine() && e.RHS.Kind == AffineConst
}

// LargestDivisor returns the largest known constant that divides the expression;
// for the constant 0 it is 0.
func (e *AffineExpr) LargestDivisor() int64 { return e.divisor }

// MultipleOf tells whether the expression is known to be a multiple of factor.
func (e *AffineExpr) MultipleOf(factor int64) bool {
	switch e.Kind {
	case AffineConst:
		return factor != 0 && e.Value%factor == 0
	case AffineMul:
		return e.LHS.MultipleOf(factor) || e.RHS.MultipleOf(factor) ||
			factor != 0 && e.LHS.LargestDivisor()*e.RHS.LargestDivisor()%factor == 0
	case AffineAdd, AffineMod:
		d := gcd64(e.LHS.LargestDivisor(), e.RHS.LargestDivisor())
		return factor != 0 && d%factor == 0
	}
	return factor == 1 || factor == -1
}

func abs64(x int64) int64 {
	if x < 0 {
		return -x
	}
	return x
}

func gcd64(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return abs64(a)
}

// AffineAdd returns l + r, simplified: constants are folded and stand on the right,
// symbols right of dimensions, equal terms are collected, and
// (e floordiv c) * -c + e becomes e mod c.
func (c *Context) AffineAdd(l, r *AffineExpr) *AffineExpr {
	if e := c.simplerSum(l, r); e != nil {
		return e
	}
	return c.affine(AffineAdd, 0, l, r)
}

// simplerSum returns l + r in another form, or nil if there is none.
func (c *Context) simplerSum(l, r *AffineExpr) *AffineExpr {
	if l.Kind == AffineConst && r.Kind == AffineConst {
		return c.AffineConstant(l.Value + r.Value)
	}
	if l.Kind == AffineConst || l.SymbolicOrConstant() && !r.SymbolicOrConstant() {
		return c.AffineAdd(r, l)
	}
	if r.Kind == AffineConst {
		if r.Value == 0 {
			return l
		}
		if l.Kind == AffineAdd && l.RHS.Kind == AffineConst {
			return c.AffineAdd(l.LHS, c.AffineConstant(l.RHS.Value+r.Value))
		}
	}
	// k1*e + k2*e is (k1+k2)*e.
	lt, lk := splitFactor(l)
	rt, rk := splitFactor(r)
	if lt == rt && lt.Kind != AffineConst {
		return c.AffineMul(lt, c.AffineConstant(lk+rk))
	}
	// Constants move out to the right.
	if l.Kind == AffineAdd && l.RHS.Kind == AffineConst {
		return c.AffineAdd(c.AffineAdd(l.LHS, r), l.RHS)
	}
	if m := c.asMod(l, r); m != nil {
		return m
	}
	if c.llvm >= affineOrderedSince && l.Kind == AffineAdd && r.Kind == AffineMul && r.LHS.Kind == AffineFloorDiv {
		if e := c.simplerSum(l.RHS, r); e != nil {
			return c.AffineAdd(l.LHS, e)
		}
	}
	if c.inOrder(l, r) {
		return nil
	}
	return c.affine(AffineAdd, 0, r, l)
}

// affineOrderedSince is the first version of LLVM in which dimensions and symbols that are added or multiplied are in order, and in which a
// multiple of a quotient is added to the last term of a sum if that makes something simpler, or a symbol come later.
const affineOrderedSince = 22

// inOrder tells whether two dimensions, or two symbols, are the first one first; of other expressions, and in versions before, any are.
func (c *Context) inOrder(l, r *AffineExpr) bool {
	return c.llvm < affineOrderedSince || l.Kind != r.Kind || l.Kind != AffineDim && l.Kind != AffineSymbol || l.Value <= r.Value
}

// splitFactor writes an expression as term * constant.
func splitFactor(e *AffineExpr) (*AffineExpr, int64) {
	if e.Kind == AffineMul && e.RHS.Kind == AffineConst {
		return e.LHS, e.RHS.Value
	}
	return e, 1
}

// asMod recognises e + (e floordiv q) * -q, and e + (e floordiv q) * q * -1, as
// e mod q.
func (c *Context) asMod(l, r *AffineExpr) *AffineExpr {
	if r.Kind != AffineMul {
		return nil
	}
	div, k := r.LHS, r.RHS
	if k.IsConst(-1) && div.Kind == AffineMul && div.LHS.Kind == AffineFloorDiv && div.LHS.RHS == div.RHS && div.LHS.LHS == l {
		return c.AffineMod(l, div.RHS)
	}
	if div.Kind != AffineFloorDiv {
		return nil
	}
	if k.Kind == AffineConst && div.RHS.Kind == AffineConst && div.LHS == l && k.Value == -div.RHS.Value {
		return c.AffineMod(l, div.RHS)
	}
	return nil
}

// AffineMul returns l * r, simplified.
func (c *Context) AffineMul(l, r *AffineExpr) *AffineExpr {
	if l.Kind == AffineConst && r.Kind == AffineConst {
		return c.AffineConstant(l.Value * r.Value)
	}
	if l.Kind == AffineConst || l.SymbolicOrConstant() && !r.SymbolicOrConstant() {
		l, r = r, l
	}
	if r.Kind == AffineConst {
		switch {
		case r.Value == 1:
			return l
		case r.Value == 0:
			return r
		case l.Kind == AffineMul && l.RHS.Kind == AffineConst:
			return c.AffineMul(l.LHS, c.AffineConstant(l.RHS.Value*r.Value))
		}
	}
	if l.Kind == AffineMul && l.RHS.Kind == AffineConst {
		return c.AffineMul(c.AffineMul(l.LHS, r), l.RHS)
	}
	if !c.inOrder(l, r) {
		l, r = r, l
	}
	return c.affine(AffineMul, 0, l, r)
}

// AffineFloorDiv returns l floordiv r, simplified.
func (c *Context) AffineFloorDiv(l, r *AffineExpr) *AffineExpr {
	if r.Kind != AffineConst || r.Value == 0 {
		return c.affine(AffineFloorDiv, 0, l, r)
	}
	if l.Kind == AffineConst && !(r.Value == -1 && l.Value == -1<<63) {
		return c.AffineConstant(floorDiv64(l.Value, r.Value))
	}
	if r.Value == 1 {
		return l
	}
	if l.Kind == AffineMul && l.RHS.Kind == AffineConst && r.Value > 0 && l.RHS.Value%r.Value == 0 {
		return c.AffineMul(l.LHS, c.AffineConstant(l.RHS.Value/r.Value))
	}
	if l.Kind == AffineAdd && r.Value > 0 {
		if l.LHS.LargestDivisor()%r.Value == 0 || l.RHS.LargestDivisor()%r.Value == 0 {
			return c.AffineAdd(c.AffineFloorDiv(l.LHS, r), c.AffineFloorDiv(l.RHS, r))
		}
	}
	return c.affine(AffineFloorDiv, 0, l, r)
}

// AffineCeilDiv returns l ceildiv r, simplified.
func (c *Context) AffineCeilDiv(l, r *AffineExpr) *AffineExpr {
	if r.Kind != AffineConst || r.Value == 0 {
		return c.affine(AffineCeilDiv, 0, l, r)
	}
	if l.Kind == AffineConst && !(r.Value == -1 && l.Value == -1<<63) {
		return c.AffineConstant(-floorDiv64(-l.Value, r.Value))
	}
	if r.Value == 1 {
		return l
	}
	if l.Kind == AffineMul && l.RHS.Kind == AffineConst && r.Value > 0 && l.RHS.Value%r.Value == 0 {
		return c.AffineMul(l.LHS, c.AffineConstant(l.RHS.Value/r.Value))
	}
	return c.affine(AffineCeilDiv, 0, l, r)
}

// AffineMod returns l mod r, simplified.
func (c *Context) AffineMod(l, r *AffineExpr) *AffineExpr {
	if r.Kind != AffineConst || r.Value < 1 {
		return c.affine(AffineMod, 0, l, r)
	}
	if l.Kind == AffineConst {
		return c.AffineConstant(l.Value - floorDiv64(l.Value, r.Value)*r.Value)
	}
	if l.LargestDivisor()%r.Value == 0 {
		return c.AffineConstant(0)
	}
	if l.Kind == AffineAdd {
		if l.LHS.LargestDivisor()%r.Value == 0 {
			return c.AffineMod(l.RHS, r)
		}
		if l.RHS.LargestDivisor()%r.Value == 0 {
			return c.AffineMod(l.LHS, r)
		}
	}
	if l.Kind == AffineMod && l.RHS.Kind == AffineConst && l.RHS.Value >= 1 && l.RHS.Value%r.Value == 0 {
		return c.AffineMod(l.LHS, r)
	}
	return c.affine(AffineMod, 0, l, r)
}

func floorDiv64(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// AffineBinary returns the binary expression of the given kind, simplified.
func (c *Context) AffineBinary(kind AffineKind, l, r *AffineExpr) *AffineExpr {
	switch kind {
	case AffineAdd:
		return c.AffineAdd(l, r)
	case AffineMul:
		return c.AffineMul(l, r)
	case AffineMod:
		return c.AffineMod(l, r)
	case AffineFloorDiv:
		return c.AffineFloorDiv(l, r)
	case AffineCeilDiv:
		return c.AffineCeilDiv(l, r)
	}
	panic("ir: not a binary affine expression")
}

// AffineReplace replaces dimensions and symbols of the expression. What the
// slices don't reach stays.
func (c *Context) AffineReplace(e *AffineExpr, dims, syms []*AffineExpr) *AffineExpr {
	switch e.Kind {
	case AffineConst:
		return e
	case AffineDim:
		if int(e.Value) < len(dims) {
			return dims[e.Value]
		}
		return e
	case AffineSymbol:
		if int(e.Value) < len(syms) {
			return syms[e.Value]
		}
		return e
	}
	l, r := c.AffineReplace(e.LHS, dims, syms), c.AffineReplace(e.RHS, dims, syms)
	if l == e.LHS && r == e.RHS {
		return e
	}
	return c.AffineBinary(e.Kind, l, r)
}

// Eval returns the expression's value for the given dimensions and symbols, and
// false where it divides by a number below 1.
func (e *AffineExpr) Eval(dims, syms []int64) (int64, bool) {
	switch e.Kind {
	case AffineConst:
		return e.Value, true
	case AffineDim:
		return dims[e.Value], true
	case AffineSymbol:
		return syms[e.Value], true
	}
	l, ok1 := e.LHS.Eval(dims, syms)
	r, ok2 := e.RHS.Eval(dims, syms)
	if !ok1 || !ok2 {
		return 0, false
	}
	switch e.Kind {
	case AffineAdd:
		return l + r, true
	case AffineMul:
		return l * r, true
	}
	if r < 1 {
		return 0, false
	}
	switch e.Kind {
	case AffineMod:
		return l - floorDiv64(l, r)*r, true
	case AffineFloorDiv:
		return floorDiv64(l, r), true
	}
	return -floorDiv64(-l, r), true
}

// Walk calls fn for the expression and everything in it, operands first.
func (e *AffineExpr) Walk(fn func(*AffineExpr)) {
	if e.LHS != nil {
		e.LHS.Walk(fn)
		e.RHS.Walk(fn)
	}
	fn(e)
}

// DependsOn tells whether a dimension is in the expression. Linear in its size.
func (e *AffineExpr) DependsOn(dim int) (found bool) {
	e.Walk(func(x *AffineExpr) { found = found || x.Kind == AffineDim && x.Value == int64(dim) })
	return found
}

// AffineMap is (d0, ...)[s0, ...] -> (Results...). Maps are uniqued.
type AffineMap struct {
	uniq
	Dims, Syms int
	Results    []*AffineExpr
}

// AffineMap returns the map with the given results.
func (c *Context) AffineMap(dims, syms int, results ...*AffineExpr) *AffineMap {
	k := newKey(kAffineMap)
	k.uint(uint64(dims))
	k.uint(uint64(syms))
	for _, r := range results {
		k.ref(r)
	}
	return c.uniquer.get(k, func() uniqued {
		return &AffineMap{Dims: dims, Syms: syms, Results: append([]*AffineExpr(nil), results...)}
	}).(*AffineMap)
}

// IdentityMap returns (d0, ..., dn-1) -> (d0, ..., dn-1).
func (c *Context) IdentityMap(n int) *AffineMap {
	if uint(n) >= uint(len(c.identities)) {
		return c.newIdentityMap(n)
	}
	m := c.identities[n].Load()
	if m == nil {
		m = c.newIdentityMap(n)
		c.identities[n].Store(m)
	}
	return m
}

func (c *Context) newIdentityMap(n int) *AffineMap {
	r := make([]*AffineExpr, n)
	for i := range r {
		r[i] = c.AffineDim(i)
	}
	return c.AffineMap(n, 0, r...)
}

// ConstantMap returns () -> (v).
func (c *Context) ConstantMap(v int64) *AffineMap { return c.AffineMap(0, 0, c.AffineConstant(v)) }

// PermutationMap returns the map whose result i is dimension perm[i].
func (c *Context) PermutationMap(perm []int64) *AffineMap {
	r := make([]*AffineExpr, len(perm))
	for i, p := range perm {
		r[i] = c.AffineDim(int(p))
	}
	return c.AffineMap(len(perm), 0, r...)
}

// IsIdentity tells whether the map returns all its dimensions in order.
func (m *AffineMap) IsIdentity() bool {
	if m.Dims != len(m.Results) {
		return false
	}
	for i, r := range m.Results {
		if r.Kind != AffineDim || r.Value != int64(i) {
			return false
		}
	}
	return true
}

// IsProjectedPermutation tells whether the results are different dimensions, or,
// if zeros is set, the constant 0.
func (m *AffineMap) IsProjectedPermutation(zeros bool) bool {
	if m.Syms != 0 || len(m.Results) > m.Dims {
		return false
	}
	seen := make([]bool, m.Dims)
	for _, r := range m.Results {
		switch {
		case r.Kind == AffineDim && !seen[r.Value]:
			seen[r.Value] = true
		case zeros && r.IsConst(0):
		default:
			return false
		}
	}
	return true
}

// IsPermutation tells whether the results are all dimensions in some order.
func (m *AffineMap) IsPermutation() bool {
	return m.Dims == len(m.Results) && m.IsProjectedPermutation(false)
}

// Compose returns the map x -> f(g(x)): the results of g become the dimensions
// of f. The symbols of f come first, then those of g.
func (c *Context) Compose(f, g *AffineMap) *AffineMap {
	syms := make([]*AffineExpr, g.Syms)
	for i := range syms {
		syms[i] = c.AffineSymbol(f.Syms + i)
	}
	inner := make([]*AffineExpr, len(g.Results))
	for i, r := range g.Results {
		inner[i] = c.AffineReplace(r, nil, syms)
	}
	out := make([]*AffineExpr, len(f.Results))
	for i, r := range f.Results {
		out[i] = c.AffineReplace(r, inner, nil)
	}
	return c.AffineMap(g.Dims, f.Syms+g.Syms, out...)
}

// Eval returns the map's results for the given dimensions followed by symbols,
// and false where an expression has no value.
func (m *AffineMap) Eval(operands []int64) ([]int64, bool) {
	out := make([]int64, len(m.Results))
	for i, r := range m.Results {
		v, ok := r.Eval(operands[:m.Dims], operands[m.Dims:])
		if !ok {
			return nil, false
		}
		out[i] = v
	}
	return out, true
}

// strided reads a layout map of one result as strides and offset; symbols make
// them dynamic. A map of several results is strided only if it is the identity, and one
// that a dimension doesn't matter for, so that elements share their place, never.
func (m *AffineMap) strided(shape []int64) (strides []int64, offset int64, ok bool) {
	if m.IsIdentity() {
		return IdentityStrides(shape), 0, true
	}
	if len(m.Results) != 1 || m.Dims != len(shape) {
		return nil, 0, false
	}
	strides = make([]int64, m.Dims)
	if !addStrides(m.Results[0], 1, strides, &offset) || slices.Contains(strides, 0) {
		return nil, 0, false
	}
	return strides, offset, true
}

// addStrides adds factor*e to strides and offset; factor may be Dynamic.
func addStrides(e *AffineExpr, factor int64, strides []int64, offset *int64) bool {
	switch e.Kind {
	case AffineConst:
		*offset = addDyn(*offset, mulDyn(factor, e.Value))
		return true
	case AffineSymbol:
		*offset = Dynamic
		return true
	case AffineDim:
		strides[e.Value] = addDyn(strides[e.Value], factor)
		return true
	case AffineAdd:
		return addStrides(e.LHS, factor, strides, offset) && addStrides(e.RHS, factor, strides, offset)
	case AffineMul:
		l, r := e.LHS, e.RHS
		switch {
		case r.Kind == AffineConst:
			return addStrides(l, mulDyn(factor, r.Value), strides, offset)
		case r.SymbolicOrConstant():
			return addStrides(l, Dynamic, strides, offset)
		case l.SymbolicOrConstant():
			return addStrides(r, Dynamic, strides, offset)
		}
	}
	return false
}

func addDyn(a, b int64) int64 {
	if a == Dynamic || b == Dynamic {
		return Dynamic
	}
	return a + b
}

func mulDyn(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	if a == Dynamic || b == Dynamic {
		return Dynamic
	}
	return a * b
}

// IntegerSet is (d0, ...)[s0, ...] : (constraints): each constraint is == 0 or
// >= 0. Sets are uniqued.
type IntegerSet struct {
	uniq
	Dims, Syms  int
	Constraints []*AffineExpr
	Eq          []bool
}

// IntegerSet returns the set with the given constraints.
func (c *Context) IntegerSet(dims, syms int, constraints []*AffineExpr, eq []bool) *IntegerSet {
	k := newKey(kIntegerSet)
	k.uint(uint64(dims))
	k.uint(uint64(syms))
	for i, e := range constraints {
		k.ref(e)
		k.bool(eq[i])
	}
	return c.uniquer.get(k, func() uniqued {
		return &IntegerSet{Dims: dims, Syms: syms, Constraints: append([]*AffineExpr(nil), constraints...), Eq: append([]bool(nil), eq...)}
	}).(*IntegerSet)
}
