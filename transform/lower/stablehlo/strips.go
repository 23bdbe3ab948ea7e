package stablehlo

import (
	"slices"

	"freehold/dialect/stablehlo"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/shapes"
)

// isZero tells whether nothing is put anywhere.
func (p padding) isZero() bool {
	return p.low.IsConst(0) && p.high.IsConst(0) && p.interior.IsConst(0)
}

// areZero tells whether nothing is put anywhere along all dimensions.
func areZero(pads []padding) bool {
	return !slices.ContainsFunc(pads, func(p padding) bool { return !p.isZero() })
}

// windowPads is the padding of windows.
func windowPads(w []stablehlo.WindowDim) []padding {
	pads := make([]padding, len(w))
	for i, k := range w {
		pads[i] = padding{known(k.Low), known(k.High), known(k.BaseDilation - 1)}
	}
	return pads
}

// paddedSizes are the sizes of a tensor with padding.
func (l *lowering) paddedSizes(v *ir.Value, pads []padding) []size {
	b := l.b
	out := make([]size, len(pads))
	for i, p := range pads {
		out[i] = larger(b, plus(b, plus(b, l.extent(v, i, p), p.low), p.high), known(0))
	}
	return out
}

// extent is how many places the elements take along a dimension, with what is put between them.
func (l *lowering) extent(v *ir.Value, dim int, p padding) size {
	b := l.b
	n := tensor.MixedSize(b, v, dim)
	return plus(b, n, times(b, larger(b, minus(b, n, known(1)), known(0)), p.interior))
}

// strip says how a dimension of a result is computed index by index: index i needs span elements of the dimension dim of a padded input, from i*stride on.
type strip struct {
	dim, result  int
	stride, span size
	count        size
}

// isWorthIt tells whether a strip is known to be at most half of the padded input, or isn't known to be more.
func (s strip) isWorthIt(padded size) bool {
	span, known := s.span.Int()
	n, alsoKnown := padded.Int()
	return !s.count.IsConst(1) && (!known || !alsoKnown || 2*span <= n)
}

// byStrips computes results from padded inputs strip by strip, so that only a strip of each is stored with its padding: compute gets the strips, and returns the
// part of each result whose sizes along the dimensions of the strips are 1. The parts go to new tensors of the sizes and the elements. Without strips, compute gets the padded inputs, and returns the results.
func (l *lowering) byStrips(strips []strip, inputs, fills []*ir.Value, pads []padding, sizes []size, elems []ir.Type, compute func(parts []*ir.Value) []*ir.Value) []*ir.Value {
	if len(strips) == 0 {
		return compute(l.stripsOf(inputs, fills, pads, nil, nil))
	}
	outs := make([]*ir.Value, len(elems))
	for i, e := range elems {
		outs[i] = empty(l.b, sizes, e)
	}
	counts := make([]size, len(strips))
	for i, s := range strips {
		counts[i] = s.count
	}
	return l.loops(counts, outs, func(indices, carried []*ir.Value) []*ir.Value {
		values := compute(l.stripsOf(inputs, fills, pads, strips, indices))
		for i, v := range values {
			offsets := slices.Repeat([]size{known(0)}, len(ranked(v).Shape))
			for k, s := range strips {
				offsets[s.result] = shapes.SizeOf(indices[k])
			}
			values[i] = l.inserted(v, carried[i], offsets, ones(len(offsets)))
		}
		return values
	})
}

// stripsOf are the parts of several tensors.
func (l *lowering) stripsOf(values, fills []*ir.Value, pads []padding, strips []strip, indices []*ir.Value) []*ir.Value {
	parts := make([]*ir.Value, len(values))
	for i, v := range values {
		parts[i] = l.stripOf(v, fills[i], pads, strips, indices)
	}
	return parts
}

// stripOf is the part of a padded tensor that the parts of results at some indices need.
func (l *lowering) stripOf(v, fill *ir.Value, pads []padding, strips []strip, indices []*ir.Value) *ir.Value {
	b := l.b
	pads = slices.Clone(pads)
	shape := slices.Repeat([]int64{ir.Dynamic}, len(pads))
	for k, s := range strips {
		from := times(b, shapes.SizeOf(indices[k]), s.stride)
		if pads[s.dim].isZero() {
			offsets, sizes := slices.Repeat([]size{known(0)}, len(pads)), sizesOf(b, v)
			offsets[s.dim], sizes[s.dim] = from, s.span
			v = l.sliced(v, offsets, sizes, ones(len(pads)))
			continue
		}
		// Before the strip, there is the less padding the further it is from the start; behind it, as much as is missing.
		p := &pads[s.dim]
		p.low, p.high = minus(b, p.low, from), known(0)
		p.high = minus(b, s.span, plus(b, l.extent(v, s.dim, *p), p.low))
		if n, ok := s.span.Int(); ok {
			shape[s.dim] = n
		}
	}
	return l.padded(v, fill, pads, shape)
}
