package quant

import (
	"freehold/ir"
	"freehold/ir/asm"
)

// parseBlocks reads what is left of a uniform type whose scales differ by blocks: {0:1, 1:2}, {{0.5, 1.0}, {2.0:3, 4.0}}.
func parseBlocks(p *asm.Parser, start asm.Pos, params []ir.Attribute) ([]ir.Attribute, error) {
	var dims, sizes []ir.Attribute
	c := p.Context()
	if err := p.Expect("{"); err != nil {
		return nil, err
	}
	for more := !p.At("}"); more; more = p.Optional(",") {
		dim, err := p.Integer()
		if err != nil {
			return nil, err
		}
		if err := p.Expect(":"); err != nil {
			return nil, err
		}
		size, err := p.Integer()
		switch {
		case err != nil:
			return nil, err
		case dim < 0:
			return nil, p.Errorf(start, "illegal quantized dimension: %d", dim)
		case size <= 0:
			return nil, p.Errorf(start, "illegal block size: %d", size)
		}
		dims, sizes = append(dims, c.I64Attr(dim)), append(sizes, c.I64Attr(size))
	}
	if err := p.Expect("}"); err != nil {
		return nil, err
	}
	if err := p.Expect(","); err != nil {
		return nil, err
	}
	l := &scaleList{p: p, start: start}
	n, err := l.nested(0)
	if err != nil {
		return nil, err
	}
	shape := []ir.Attribute{c.I64Attr(n)}
	for _, n := range l.shape {
		shape = append(shape, c.I64Attr(n))
	}
	return append(params, c.I64Attr(-1), c.ArrayAttr(l.scales...), c.ArrayAttr(l.points...), c.ArrayAttr(dims...), c.ArrayAttr(sizes...), c.ArrayAttr(shape...)), nil
}

// scaleList collects scales and zero points of nested lists, and the shape of what is in a list.
type scaleList struct {
	p              *asm.Parser
	start          asm.Pos
	scales, points []ir.Attribute
	shape          []int64 // below the outermost list; known once the first list of a depth was read
	leaves         int     // the depth of scales, if it is known
}

// maxDepth is the largest depth of lists, which no tensor needs.
const maxDepth = 64

// nested reads a list of depth d, and returns how many elements it has.
func (l *scaleList) nested(d int) (int64, error) {
	p := l.p
	pos := p.Pos()
	if err := p.Expect("{"); err != nil {
		return 0, err
	}
	if d > maxDepth {
		return 0, p.Errorf(pos, "lists of scales are nested too deep")
	}
	n := int64(0)
	for more := true; more; more = p.Optional(",") {
		n++
		if !p.At("{") {
			if l.leaves == 0 {
				l.leaves = d + 1
			}
			if l.leaves != d+1 {
				return 0, l.uneven(pos)
			}
			if err := l.scale(); err != nil {
				return 0, err
			}
			continue
		}
		inner, err := l.nested(d + 1)
		switch {
		case err != nil:
			return 0, err
		case l.leaves == d+1:
			return 0, l.uneven(pos)
		case len(l.shape) < l.leaves-1-d:
			l.shape = append([]int64{inner}, l.shape...)
		case l.shape[len(l.shape)-(l.leaves-1-d)] != inner:
			return 0, l.uneven(pos)
		}
	}
	return n, p.Expect("}")
}

func (l *scaleList) uneven(pos asm.Pos) error {
	return l.p.Errorf(pos, "tensor literal is invalid; ranks are not consistent between elements")
}

func (l *scaleList) scale() error {
	s, err := parseScale(l.p, l.start)
	if err != nil {
		return err
	}
	zero := int64(0)
	if l.p.Optional(":") {
		if zero, err = l.p.Integer(); err != nil {
			return err
		}
	}
	l.scales, l.points = append(l.scales, s), append(l.points, l.p.Context().I64Attr(zero))
	return nil
}

// printBlocks writes what parseBlocks reads.
func printBlocks(w *ir.Writer, t *ir.DialectType) {
	w.Text(":{")
	sizes := numbers(t, paramBlockSizes)
	for i, d := range numbers(t, paramBlockDims) {
		if i > 0 {
			w.Text(", ")
		}
		w.Int(d)
		w.Byte(':')
		w.Int(sizes[i])
	}
	w.Text("}, ")
	next := 0
	printNested(w, t, numbers(t, paramScaleShape), &next)
}

// printNested writes a list of the given shape, of the scales from next on.
func printNested(w *ir.Writer, t *ir.DialectType, shape []int64, next *int) {
	if len(shape) == 0 {
		printScale(w, t, *next)
		*next++
		return
	}
	w.Byte('{')
	for i := range shape[0] {
		if i > 0 {
			w.Text(", ")
		}
		printNested(w, t, shape[1:], next)
	}
	w.Byte('}')
}

// numbers returns the integers of a parameter that is a list of them.
func numbers(t *ir.DialectType, param int) []int64 {
	elems := t.Params[param].(*ir.ArrayAttr).Elems
	out := make([]int64, len(elems))
	for i, e := range elems {
		out[i] = e.(*ir.IntegerAttr).Value
	}
	return out
}

// verifyBlocks checks that a tensor can be divided into the blocks of its type, with a scale for each.
func verifyBlocks(op *ir.Op, d *ir.DialectType, tensor ir.Type) error {
	shape, ranked := ir.ShapeOf(tensor)
	if !ranked {
		return op.PlainErrorf("tensor containing the sub-channel quantized type must be ranked")
	}
	dims, sizes, scales := numbers(d, paramBlockDims), numbers(d, paramBlockSizes), numbers(d, paramScaleShape)
	blocks := make([]int64, len(shape))
	for i := range blocks {
		blocks[i] = shape[i] // one block
	}
	for i, dim := range dims {
		if dim >= int64(len(shape)) {
			return op.PlainErrorf("quantized dimension %d must be less than tensor rank %d", dim, len(shape))
		}
		if n := shape[dim]; n != ir.Dynamic && n%sizes[i] != 0 {
			return op.PlainErrorf("tensor dimension size %d at axis %d must be divisible by the corresponding block size %d", n, dim, sizes[i])
		}
		blocks[dim] = sizes[i]
	}
	if len(scales) != len(shape) {
		return op.PlainErrorf("rank of scales %d must match the rank of the tensor %d", len(scales), len(shape))
	}
	for i, n := range shape {
		want := int64(1)
		if n != ir.Dynamic && n > 0 {
			want = n / blocks[i]
		}
		if n != ir.Dynamic && scales[i] != want {
			return op.PlainErrorf("dimension size %d of scales tensor at axis %d should match (tensor dimension at axis / block sizes at axis) = %d", scales[i], i, want)
		}
	}
	return nil
}
