package normalize

import (
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// ReadParts lets elementwise operations read tensors that are put together of parts, only for them, where the parts are, with an operation for each
// part: if one of the parts isn't computed for this, such as a half of another tensor, it needn't be moved. The parts lie side by side
// in one dimension, and sizes are known. It returns how many operations were divided. Linear time.
func ReadParts(fn *ir.Op) (n int) {
	b := ir.NewBuilder(fn.Context())
	for _, op := range structuredIn(fn) {
		if d := divisionOf(op); d != nil {
			d.apply(b)
			n++
		}
	}
	return n
}

// structuredIn lists the structured operations of a function, without those in their bodies.
func structuredIn(fn *ir.Op) (out []*ir.Op) {
	fn.Walk(func(op *ir.Op) bool {
		if !interfaces.Structured.Has(op) {
			return true
		}
		out = append(out, op)
		return false
	})
	return out
}

// division is how an operation can be divided.
type division struct {
	op *ir.Op
	// operand is what is put together, of parts; insertions put them there, the last one first.
	operand    int
	parts      []part
	insertions []*ir.Op
	// places are the dimensions of the operands, and of the destination, that are divided; -1 for operands that all parts need.
	places []int
}

// part is a piece of a tensor.
type part struct {
	source       *ir.Value
	offset, size int64
}

// divisionOf finds out whether an operation can be divided, and should be; else it returns nil.
func divisionOf(op *ir.Op) *division {
	init := interfaces.DpsInits(op)
	if len(init) != 1 || op.NumResults() != 1 || !interfaces.HasTensorSemantics(op) || !isFree(init.At(0)) || readsInit(&init[0]) || usesIndices(op) || !interfaces.AllParallel(op) {
		return nil
	}
	for i := range interfaces.DpsInputs(op) {
		d := &division{op: op, operand: i}
		dim := d.joined(op.Operand(i))
		if dim >= 0 && d.placesFor(dim) {
			return d
		}
	}
	return nil
}

// usesIndices tells whether a body depends on where it is executed.
func usesIndices(op *ir.Op) (found bool) {
	op.Walk(func(x *ir.Op) bool {
		found = found || x.Is(linalg.Index)
		return !found
	})
	return found
}

// joined follows the insertions that put a tensor together, and returns the dimension in which the parts lie side by side; -1 if it isn't put
// together so, or all parts can be computed where they go.
func (d *division) joined(v *ir.Value) int {
	t, ok := v.Type().(*ir.RankedTensorType)
	if !ok || !ir.IsStaticShape(t.Shape) {
		return -1
	}
	dim, covered, moved := -1, int64(0), false
	for v.HasOneUse() {
		insertion := v.DefinedBy(tensor.InsertSlice)
		if insertion == nil {
			break
		}
		o := tensor.InsertSliceOp{Op: insertion}
		at, p := sidewise(o, t)
		if at < 0 || dim >= 0 && at != dim || d.overlaps(p) {
			return -1
		}
		dim, covered = at, covered+p.size
		moved = moved || !isComputedFor(o.Source())
		d.parts = append(d.parts, p)
		d.insertions = append(d.insertions, insertion)
		v = o.Dest()
	}
	if dim < 0 || len(d.parts) < 2 || !moved || covered != t.Shape[dim] || !isFree(v) {
		return -1
	}
	return dim
}

// sidewise returns the dimension of a tensor of which an insertion overwrites a part, all of the others, and the part; -1 if it isn't so.
func sidewise(o tensor.InsertSliceOp, t *ir.RankedTensorType) (dim int, p part) {
	s, from := o.Slice(), o.SourceType().Shape
	if len(from) != len(t.Shape) {
		return -1, part{}
	}
	dim = -1
	for i, size := range t.Shape {
		if s.Offsets[i].Value != nil || s.Sizes[i].Value != nil || s.Stride(i) != shapes.ConstSize(1) {
			return -1, part{}
		}
		if s.Sizes[i].Const == size {
			continue
		}
		if dim >= 0 {
			return -1, part{}
		}
		dim, p = i, part{o.Source(), s.Offsets[i].Const, s.Sizes[i].Const}
	}
	return dim, p
}

// overlaps tells whether a part is overwritten by one that is there already.
func (d *division) overlaps(p part) bool {
	for _, q := range d.parts {
		if p.offset < q.offset+q.size && q.offset < p.offset+p.size {
			return true
		}
	}
	return false
}

// isComputedFor tells whether a tensor is computed for one use: then it can be computed where that wants it.
func isComputedFor(v *ir.Value) bool {
	def := v.DefiningOp()
	return def != nil && v.HasOneUse() && interfaces.TiedInit(v) != nil && isFree(interfaces.TiedInit(v).Value())
}

// placesFor finds the dimensions of operands that are divided if that dimension of the joined one is; false if there is more to do than to take
// slices.
func (d *division) placesFor(dim int) bool {
	maps := interfaces.IndexingMaps(d.op)
	if len(maps) != d.op.NumOperands() {
		return false
	}
	along := maps[d.operand].Results[dim]
	if along.Kind != ir.AffineDim {
		return false
	}
	for i, m := range maps {
		place := -1
		for k, r := range m.Results {
			switch {
			case r == along && place < 0:
				place = k
			case r.Kind == ir.AffineDim && r != along, r.IsConst(0):
			default:
				return false
			}
		}
		if shape, _ := ir.ShapeOf(d.op.Operand(i).Type()); !ir.IsStaticShape(shape) {
			return false
		}
		d.places = append(d.places, place)
	}
	return d.places[len(d.places)-1] >= 0
}

// apply divides the operation.
func (d *division) apply(b *ir.Builder) {
	b.SetBefore(d.op)
	b.Loc = d.op.Loc()
	result := d.op.Result(0)
	last := d.op.NumOperands() - 1
	whole := tensor.NewEmptyOf(b, result.Type().(*ir.RankedTensorType), nil)
	for k := len(d.parts) - 1; k >= 0; k-- {
		p := d.parts[k]
		operands := d.op.Operands().Values()
		for i, place := range d.places {
			switch {
			case i == d.operand:
				operands[i] = p.source
			case i == last:
				operands[i] = slice(b, whole, place, p)
			case place >= 0:
				operands[i] = slice(b, operands[i], place, p)
			}
		}
		made := b.Clone(d.op, ir.NewMapping())
		made.SetOperands(operands)
		made.Result(0).SetType(made.Operand(last).Type())
		whole = tensor.NewInsertSlice(b, made.Result(0), whole, sliceOf(whole.Type(), d.places[last], p))
	}
	result.ReplaceAllUsesWith(whole)
	d.op.Erase()
	for _, op := range d.insertions {
		op.Erase()
	}
}

// slice takes the slice of a tensor that belongs to a part.
func slice(b *ir.Builder, v *ir.Value, dim int, p part) *ir.Value {
	return tensor.NewExtractSlice(b, nil, v, sliceOf(v.Type(), dim, p))
}

func sliceOf(t ir.Type, dim int, p part) shapes.Slice {
	var s shapes.Slice
	shape, _ := ir.ShapeOf(t)
	for i, n := range shape {
		offset := int64(0)
		if i == dim {
			offset, n = p.offset, p.size
		}
		s.Offsets = append(s.Offsets, shapes.ConstSize(offset))
		s.Sizes = append(s.Sizes, shapes.ConstSize(n))
		s.Strides = append(s.Strides, shapes.ConstSize(1))
	}
	return s
}
