package bufferization

import (
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// allocTensorBufferize makes a tensor of its own an allocation.
type allocTensorBufferize struct{ interfaces.BufferizeDefaults }

// Reads tells that the operand to copy is read.
func (allocTensorBufferize) Reads(*ir.Use, interfaces.AnalysisState) bool { return true }

func (allocTensorBufferize) Allocates(*ir.Value) bool { return true }

// WritesResult tells whether there are contents to copy.
func (allocTensorBufferize) WritesResult(v *ir.Value, _ interfaces.AnalysisState) bool {
	return AllocTensorOp{v.DefiningOp()}.CopyOf() != nil
}

func (allocTensorBufferize) BufferType(v *ir.Value, t interfaces.BufferTyper) (ir.Type, error) {
	op := AllocTensorOp{v.DefiningOp()}
	space := op.MemorySpace()
	if space == nil {
		if from := op.CopyOf(); from != nil {
			src, err := t.BufferType(from)
			if err != nil {
				return nil, err
			}
			space = ir.MemorySpaceOf(src)
		} else {
			var ok bool
			if space, ok = t.DefaultMemorySpace(v.Type()); !ok {
				return nil, op.PlainErrorf("could not infer memory space")
			}
		}
	}
	return t.IdentityType(v.Type(), space), nil
}

func (allocTensorBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	if !op.HasUses() {
		b.Erase(op)
		return nil
	}
	o := AllocTensorOp{op}
	var from *ir.Value
	if o.CopyOf() != nil {
		var err error
		if from, err = b.Buffer(o.CopyOf()); err != nil {
			return err
		}
	}
	t, err := b.BufferType(op.Result(0))
	if err != nil {
		return err
	}
	m := t.(*ir.MemRefType)
	sizes := o.DynamicSizes().Values()
	if from != nil {
		for i, d := range m.Shape {
			if d == ir.Dynamic {
				sizes = append(sizes, memref.NewDim(b.Builder(), from, i))
			}
		}
	}
	alloc, err := b.Alloc(m, sizes)
	if err != nil {
		return err
	}
	if from != nil {
		if err := b.Copy(from, alloc); err != nil {
			return err
		}
	}
	b.Replace(op, alloc)
	return nil
}

// deallocTensorBufferize frees the buffer of a tensor.
type deallocTensorBufferize struct{ interfaces.BufferizeDefaults }

func (deallocTensorBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	buffer, err := b.Buffer(DeallocTensorOp{op}.Tensor())
	if err != nil {
		return err
	}
	if err := b.Dealloc(buffer); err != nil {
		return err
	}
	b.Erase(op)
	return nil
}

// materializeBufferize copies into a destination, which is written in place.
type materializeBufferize struct{ interfaces.BufferizeDefaults }

func isDest(u *ir.Use) bool { return u.Index() == 1 }

func (materializeBufferize) Reads(u *ir.Use, _ interfaces.AnalysisState) bool  { return !isDest(u) }
func (materializeBufferize) Writes(u *ir.Use, _ interfaces.AnalysisState) bool { return isDest(u) }

func (materializeBufferize) AliasingValues(u *ir.Use, _ interfaces.AnalysisState) []interfaces.AliasingValue {
	if !isDest(u) {
		return nil
	}
	return []interfaces.AliasingValue{{Value: u.Owner().Result(0), Relation: interfaces.Equivalent, Definite: true}}
}

func (materializeBufferize) ElementwiseAccess(*ir.Op, interfaces.AnalysisState, []*ir.Use) bool {
	return true
}

func (materializeBufferize) MustBeInPlace(*ir.Use, interfaces.AnalysisState) bool { return true }

func (materializeBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	o := MaterializeInDestinationOp{op}
	dest := o.Dest()
	tensor := ir.IsTensor(dest.Type())
	if tensor {
		var err error
		if dest, err = b.Buffer(dest); err != nil {
			return err
		}
	}
	source, err := b.Buffer(o.Source())
	if err != nil {
		return err
	}
	if err := b.Copy(source, dest); err != nil {
		return err
	}
	if tensor {
		b.Replace(op, dest)
	} else {
		b.Erase(op)
	}
	return nil
}

// toTensorBufferize: conversions fold away once both sides are bufferized.
type toTensorBufferize struct{ interfaces.BufferizeDefaults }

func (toTensorBufferize) IsWritable(v *ir.Value, _ interfaces.AnalysisState) bool {
	return ToTensorOp{v.DefiningOp()}.Writable()
}

func (toTensorBufferize) BufferType(v *ir.Value, _ interfaces.BufferTyper) (ir.Type, error) {
	return ToTensorOp{v.DefiningOp()}.MemRef().Type(), nil
}

func (toTensorBufferize) Bufferize(*ir.Op, interfaces.Bufferizer) error { return nil }

// checkToTensor rejects tensors whose buffer others may write.
func checkToTensor(op *ir.Op) error {
	if !(ToTensorOp{op}).Restrict() && op.HasUses() {
		return op.Errorf("to_tensor ops without `restrict` are not supported by One-Shot Analysis")
	}
	return nil
}

// toMemrefBufferize: it is not known what is done with the buffer.
type toMemrefBufferize struct{ interfaces.BufferizeDefaults }

func (toMemrefBufferize) Reads(*ir.Use, interfaces.AnalysisState) bool { return true }

func (toMemrefBufferize) Writes(u *ir.Use, _ interfaces.AnalysisState) bool {
	return !ToMemrefOp{u.Owner()}.ReadOnly()
}

func (toMemrefBufferize) Bufferize(*ir.Op, interfaces.Bufferizer) error { return nil }
