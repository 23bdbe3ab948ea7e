package vector

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// readBufferize is what operations have that read vectors from tensors.
type readBufferize struct{ interfaces.BufferizeDefaults }

// Reads implements interfaces.BufferizableModel.
func (readBufferize) Reads(*ir.Use, interfaces.AnalysisState) bool { return true }

// Bufferize implements interfaces.BufferizableModel.
func (readBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	n, err := onBuffers(op, b, op.Results().Types())
	if err != nil {
		return err
	}
	b.Replace(op, n.Results().Values()...)
	return nil
}

// gatherBufferize is about a vector.gather from a tensor: its indices count elements in row-major order, so that the buffer must have them in
// that order, too. MLIR reads from any buffer, also a part of one, in which other elements are at that distance.
type gatherBufferize struct{ readBufferize }

// Bufferize copies the tensor to a buffer in row-major order if it isn't in one.
func (gatherBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	source := GatherOp{op}.Base()
	buffer, err := b.Buffer(source)
	if err != nil {
		return err
	}
	if m, ok := buffer.Type().(*ir.MemRefType); ok && !interfaces.SameStrides(m, rowMajor(op.Context(), m)) && !isCallersChoice(source, m) {
		bd := b.Builder()
		if p := op.Parent(); p != nil && p.Is(Mask) {
			bd.SetBefore(p) // nothing else may be in it
		}
		copied, err := b.CopyTensor(source, true)
		if err != nil {
			return err
		}
		buffer = b.ToBuffer(copied, rowMajor(op.Context(), m))
		bd.SetBefore(op)
	}
	operands := append([]*ir.Value{buffer}, op.Operands()[1:].Values()...)
	b.Replace(op, sameOn(op, b, operands, op.Results().Types()).Results().Values()...)
	return nil
}

// rowMajor returns a type without its layout.
func rowMajor(c *ir.Context, t *ir.MemRefType) *ir.MemRefType {
	return c.MemRefOf(t.Shape, t.Elem, nil, t.Space)
}

// isCallersChoice tells whether a tensor is an argument of a public function whose buffer may have any layout: that is a promise to those who
// call it from elsewhere, and for them to keep.
func isCallersChoice(v *ir.Value, t *ir.MemRefType) bool {
	strides, offset, _ := t.StridesAndOffset()
	if !v.IsBlockArg() || offset != ir.Dynamic || slices.ContainsFunc(strides, func(n int64) bool { return n != ir.Dynamic }) {
		return false
	}
	fn := v.ArgOwner().ParentOp()
	return fn != nil && interfaces.Function.Has(fn) && ir.IsPublic(fn)
}

// onBuffers creates the same operation with the buffers of its tensor operands.
func onBuffers(op *ir.Op, b interfaces.Bufferizer, types []ir.Type) (*ir.Op, error) {
	operands, err := interfaces.BuffersOf(op.Operands(), b)
	if err != nil {
		return nil, err
	}
	return sameOn(op, b, operands, types), nil
}

// sameOn creates the same operation with other operands and types of results.
func sameOn(op *ir.Op, b interfaces.Bufferizer, operands []*ir.Value, types []ir.Type) *ir.Op {
	return b.Builder().Create(ir.OpState{Name: op.OpName(), Loc: op.Loc(), Operands: operands, Types: types,
		Props: append([]ir.Attribute(nil), op.Props()...), Attrs: append([]ir.NamedAttr(nil), op.DiscardableAttrs()...)})
}

// writeBufferize makes a write of a vector to a tensor one to its buffer.
type writeBufferize struct {
	interfaces.DestinationBufferize
}

// Reads tells whether the write leaves anything of the tensor as it was. MLIR doesn't ask
// which dimension of the tensor one of the vector is written along, and makes no copy for
// a vector of lower rank that is as long as the first dimension; here it does. Before LLVM
// 18, all writes read.
func (writeBufferize) Reads(u *ir.Use, s interfaces.AnalysisState) bool {
	if s.LLVM() < 18 {
		return true
	}
	o := TransferOp{u.Owner()}
	shape, _ := ir.ShapeOf(o.Source().Type())
	masked := o.Mask() != nil || o.Parent() != nil && o.Parent().Is(Mask)
	if !ir.IsStaticShape(shape) || masked {
		return true
	}
	for _, i := range o.Indices().Values() {
		if n, ok := ir.ConstantInt(i); !ok || n != 0 {
			return true
		}
	}
	size := o.VectorType().Shape
	covered := make([]int64, len(shape))
	for i := range covered {
		covered[i] = 1
	}
	for i, e := range o.PermutationMap().Results {
		if e.Kind == ir.AffineDim {
			covered[e.Value] = size[i]
		}
	}
	for i, d := range shape {
		if d > covered[i] || i < len(size) && d > size[i] {
			return true
		}
	}
	return false
}

// Bufferize implements interfaces.BufferizableModel.
func (writeBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	n, err := onBuffers(op, b, nil)
	if err != nil {
		return err
	}
	b.Replace(op, TransferOp{n}.Source())
	return nil
}

// scatterBufferize makes a scatter of a vector to a tensor one to its buffer, of which it leaves some as it was.
type scatterBufferize struct{ interfaces.BufferizeDefaults }

// Reads implements interfaces.BufferizableModel.
func (scatterBufferize) Reads(*ir.Use, interfaces.AnalysisState) bool { return true }

// Writes implements interfaces.BufferizableModel.
func (scatterBufferize) Writes(*ir.Use, interfaces.AnalysisState) bool { return true }

// AliasingValues implements interfaces.BufferizableModel.
func (scatterBufferize) AliasingValues(u *ir.Use, _ interfaces.AnalysisState) []interfaces.AliasingValue {
	return []interfaces.AliasingValue{{Value: u.Owner().Result(0), Relation: interfaces.Equivalent, Definite: true}}
}

// AliasingOperands implements interfaces.BufferizableModel.
func (scatterBufferize) AliasingOperands(v *ir.Value, _ interfaces.AnalysisState) []interfaces.AliasingOperand {
	return []interfaces.AliasingOperand{{Use: v.DefiningOp().OperandUse(0), Relation: interfaces.Equivalent, Definite: true}}
}

// Bufferize implements interfaces.BufferizableModel.
func (scatterBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	n, err := onBuffers(op, b, nil)
	if err != nil {
		return err
	}
	b.Replace(op, MaskedAccessOp{n}.Base())
	return nil
}

// maskBufferize is about the results of vector.mask, which the masked operation
// yields.
type maskBufferize struct{ interfaces.BufferizeDefaults }

// AliasingOperands returns what the body yields.
func (maskBufferize) AliasingOperands(v *ir.Value, _ interfaces.AnalysisState) []interfaces.AliasingOperand {
	yield := v.DefiningOp().BodyBlock(0).Last()
	return []interfaces.AliasingOperand{{Use: yield.OperandUse(v.Index()), Relation: interfaces.Equivalent, Definite: true}}
}

// RoomForCopies demands that the masked operation bufferizes in place: the body can
// hold nothing else.
func (maskBufferize) RoomForCopies(op *ir.Op) error {
	return op.Errorf("body must bufferize in-place")
}

// Bufferize drops the tensors that the body yields.
func (maskBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	yield := op.BodyBlock(0).Last()
	if !interfaces.Bufferizable.Has(op.BodyBlock(0).First()) {
		return nil
	}
	results := make([]*ir.Value, op.NumResults())
	var kept []*ir.Value
	var types []ir.Type
	for i, v := range yield.Operands().Values() {
		if t := op.Result(i).Type(); ir.IsTensor(t) {
			// What is yielded is a buffer already if the masked operation was bufferized. It
			// is defined outside of the mask, since the body holds nothing else.
			results[i] = v
			if ir.IsTensor(v.Type()) {
				buffer, err := b.Buffer(v)
				if err != nil {
					return err
				}
				results[i] = buffer
			}
		} else {
			kept, types = append(kept, v), append(types, t)
		}
	}
	yield.SetOperands(kept)
	bd := b.Builder()
	s := bd.State(Mask)
	s.Loc, s.Operands, s.Types, s.Attrs = op.Loc(), op.Operands().Values(), types, op.DiscardableAttrs()
	if n := len(s.Operands); ir.IsTensor(s.Operands[n-1].Type()) {
		s.Operands = s.Operands[:n-1] // what a result that is gone had where nothing is computed
	}
	s.AddRegion().TakeBody(op.RegionAt(0))
	n := bd.Create(s)
	j := 0
	for i := range results {
		if results[i] == nil {
			results[i] = n.Result(j)
			j++
		}
	}
	b.Replace(op, results...)
	return nil
}

// yieldBufferize is about what the body of vector.mask yields.
type yieldBufferize struct{ interfaces.YieldDefaults }

// Bufferize implements interfaces.BufferizableModel.
func (yieldBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	mask := op.Parent()
	if !mask.Is(Mask) {
		return op.PlainErrorf("unsupported vector::YieldOp parent")
	}
	if !interfaces.Bufferizable.Has(mask.BodyBlock(0).First()) {
		return nil
	}
	values, err := interfaces.BuffersOf(op.Operands(), b)
	if err != nil {
		return err
	}
	b.Builder().CreateOp(Yield, nil, values)
	b.Replace(op)
	return nil
}
