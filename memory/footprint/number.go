package footprint

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// Numbers evaluates numbers that a function computes from sizes, such as the places of the parts of an arena: the largest of several sums of products of
// sizes. What isn't that is a size by itself. Numbers whose operands may be below zero are, too, so that comparisons hold whatever sizes are.
type Numbers struct {
	s     *symbols
	known map[*ir.Value][]Size
	sizes map[*ir.Value]bool // whether a number can't be below zero
	// rounded are the numbers that sizes of these names are rounded up from.
	rounded map[string]rounding
}

// rounding is what a number is rounded up from, to a multiple.
type rounding struct {
	from *ir.Value
	to   int64
}

// Numbers returns numbers whose sizes have the names that they have in the function's peak.
func (f *Function) Numbers() *Numbers { return newNumbers(f.symbols) }

func newNumbers(s *symbols) *Numbers {
	return &Numbers{s, map[*ir.Value][]Size{}, map[*ir.Value]bool{}, map[string]rounding{}}
}

// mostSums limits the sums of which a number is the largest. What would have more is a size by itself.
const mostSums = 64

// Of returns sizes of which a number, of type index, is the largest. Each operation that computes it is looked at once.
func (n *Numbers) Of(v *ir.Value) []Size {
	if out, ok := n.known[v]; ok {
		if out == nil {
			// Where nothing comes to, numbers may be computed from themselves.
			return []Size{n.named(DimSource{Value: v, Dim: -1})}
		}
		return out
	}
	n.known[v] = nil // it is being computed
	out := n.compute(v)
	if len(out) > mostSums {
		out = []Size{n.named(DimSource{Value: v, Dim: -1})}
	}
	n.known[v] = out
	return out
}

func (n *Numbers) compute(v *ir.Value) []Size {
	d := sourceOfNumber(v, &ir.Trail{})
	if d.Value != v && d.Value != nil && d.Dim < 0 && d.Value.Type() == v.Type() {
		return n.Of(d.Value)
	}
	op := v.DefiningOp()
	switch {
	case d.Value != v || op == nil || !n.IsSize(v):
	case op.Is(arith.AddI):
		return n.each(op, Size.Plus)
	case op.Is(arith.MulI) && roundingOf(op).from == nil:
		return n.each(op, Size.by)
	case op.Is(arith.MaxSI):
		return n.largest(op)
	}
	x := n.named(d)
	if op != nil && len(x.Terms) == 1 {
		if r := roundingOf(op); r.from != nil && !dependsOn(r.from, v, map[*ir.Value]bool{}) {
			n.rounded[x.Terms[0].Sizes[0]] = r
		}
	}
	return []Size{x}
}

// OfContents returns sizes of which that of all elements of a tensor or buffer is the largest.
func (n *Numbers) OfContents(v *ir.Value) []Size {
	shape, ranked := ir.ShapeOf(v.Type())
	elem, _ := elementOf(v.Type())
	out := []Size{bytes(elem)}
	for i, d := range shape {
		dim := []Size{bytes(d)}
		if d == ir.Dynamic {
			dim = n.ofDim(SourceOfDim(v, i))
		}
		if out = eachOf(out, dim, Size.by); len(out) > mostSums {
			ranked = false
			break
		}
	}
	if !ranked {
		return []Size{n.s.contents(v)}
	}
	return out
}

// ofDim returns sizes of which a dimension is the largest.
func (n *Numbers) ofDim(d DimSource) []Size {
	if d.Value != nil && d.Dim < 0 && d.Value.Type() == ir.Type(ir.Index) {
		return n.Of(d.Value)
	}
	return []Size{n.named(d)}
}

// named returns a number as a size by itself.
func (n *Numbers) named(d DimSource) Size { return product([]factor{{number: 1}, n.s.atom(d)}) }

// Same says that a number is another one.
func (n *Numbers) Same(v, as *ir.Value) { n.known[v] = n.Of(as) }

// IsSize tells whether a number can't be below zero, since it is made from sizes.
func (n *Numbers) IsSize(v *ir.Value) bool {
	is, ok := n.sizes[v]
	if !ok {
		n.sizes[v] = false // for what is computed from itself
		is = n.isSize(v)
		n.sizes[v] = is
	}
	return is
}

// dependsOn tells whether a number is computed from another one, which is only so if that is computed from itself.
func dependsOn(v, on *ir.Value, seen map[*ir.Value]bool) bool {
	op := v.DefiningOp()
	if v == on {
		return true
	}
	if seen[v] || op == nil || op.Block().IsEntry() {
		return false
	}
	seen[v] = true
	return slices.ContainsFunc(op.Operands().Values(), func(x *ir.Value) bool { return dependsOn(x, on, seen) })
}

func (n *Numbers) isSize(v *ir.Value) bool {
	if k, ok := ir.ConstantInt(v); ok {
		return k >= 0
	}
	op := v.DefiningOp()
	switch {
	case op == nil:
		return false
	case interfaces.IsDim(op):
		return true
	case op.Is(arith.AddI), op.Is(arith.MulI):
		return n.IsSize(arith.BinaryOp{Op: op}.LHS()) && n.IsSize(arith.BinaryOp{Op: op}.RHS())
	case op.Is(arith.MaxSI):
		return n.IsSize(arith.BinaryOp{Op: op}.LHS()) || n.IsSize(arith.BinaryOp{Op: op}.RHS())
	case op.Is(arith.CeilDivSI):
		k, ok := ir.ConstantInt(arith.BinaryOp{Op: op}.RHS())
		return ok && k > 0 && n.IsSize(arith.BinaryOp{Op: op}.LHS())
	}
	return false
}

// roundingOf returns what a product is rounded up from; nothing if it is another product.
func roundingOf(op *ir.Op) (r rounding) {
	if !op.Is(arith.MulI) {
		return r
	}
	d := arith.BinaryOp{Op: op}.LHS().DefiningOp()
	if d == nil || !d.Is(arith.CeilDivSI) {
		return r
	}
	by, ok := ir.ConstantInt(arith.BinaryOp{Op: op}.RHS())
	if k, same := ir.ConstantInt(arith.CeilDivSIOp{Op: d}.RHS()); !ok || !same || k != by || k <= 0 {
		return r
	}
	return rounding{arith.CeilDivSIOp{Op: d}.LHS(), by}
}

// unrounded returns a size that is at least as large, without what is rounded up.
func (n *Numbers) unrounded(s Size) Size {
	return s.each(func(name string) factor {
		r := n.rounded[name]
		if r.from == nil {
			return factor{name: name}
		}
		most := bytes(r.to - 1)
		for _, x := range n.Of(r.from) {
			most = most.Max(n.unrounded(x).Plus(bytes(r.to - 1)))
		}
		return factor{sum: &most}
	})
}

// AtLeast tells whether a is at least b, whatever sizes are; false if that isn't seen.
func (n *Numbers) AtLeast(a, b *ir.Value) bool {
	return n.allWithin(n.Of(b), n.Of(a))
}

// atLeast tells whether x is at least y, also because what one of its sizes is rounded up from makes it so.
func (n *Numbers) atLeast(x, y Size) bool {
	if x.AtLeast(y) {
		return true
	}
	for _, t := range x.Terms {
		for i, name := range t.Sizes {
			from := n.rounded[name].from
			if from == nil {
				continue
			}
			rest := Size{Terms: []Term{{t.Bytes, slices.Delete(slices.Clone(t.Sizes), i, i+1)}}}
			if len(t.Sizes) == 1 {
				rest = bytes(t.Bytes)
			}
			without := x.without(t)
			return slices.ContainsFunc(n.Of(from), func(low Size) bool { return n.atLeast(without.Plus(rest.by(low)), y) })
		}
	}
	return false
}

// without returns a size without one of its terms.
func (s Size) without(t Term) Size {
	s.Terms = slices.DeleteFunc(slices.Clone(s.Terms), func(x Term) bool { return compareTerms(x, t) == 0 })
	return s
}

// each combines each of the sums that one operand is the largest of with each of the other operand's.
func (n *Numbers) each(op *ir.Op, with func(a, b Size) Size) []Size {
	return eachOf(n.Of(arith.BinaryOp{Op: op}.LHS()), n.Of(arith.BinaryOp{Op: op}.RHS()), with)
}

func eachOf(as, bs []Size, with func(a, b Size) Size) (out []Size) {
	for _, a := range as {
		for _, b := range bs {
			out = append(out, with(a, b))
		}
	}
	return undominated(out)
}

// largest returns the sums of both operands. A number that is only kept from being below zero is that number: what it is where it is the size of something.
func (n *Numbers) largest(op *ir.Op) []Size {
	var out []Size
	for i := range 2 {
		if v := op.Operand(i); isZero(v) {
			continue
		} else {
			out = append(out, n.Of(v)...)
		}
	}
	if len(out) == 0 {
		return []Size{{}}
	}
	return undominated(out)
}

func isZero(v *ir.Value) bool {
	n, ok := ir.ConstantInt(v)
	return ok && n == 0
}

// undominated returns the sizes than which no other is larger whatever sizes are.
func undominated(sizes []Size) (out []Size) {
	for i, s := range sizes {
		if !slices.ContainsFunc(sizes[:i], func(t Size) bool { return t.AtLeast(s) }) &&
			!slices.ContainsFunc(sizes[i+1:], func(t Size) bool { return t.AtLeast(s) && !s.AtLeast(t) }) {
			out = append(out, s)
		}
	}
	return out
}

// by returns a product.
func (s Size) by(t Size) (out Size) {
	terms := func(s Size) []Term { return append([]Term{{Bytes: s.Bytes}}, s.Terms...) }
	for _, x := range terms(s) {
		for _, y := range terms(t) {
			factors := []factor{{number: x.Bytes}, {number: y.Bytes}}
			for _, name := range slices.Concat(x.Sizes, y.Sizes) {
				factors = append(factors, factor{name: name})
			}
			out = out.Plus(product(factors))
		}
	}
	return out
}
