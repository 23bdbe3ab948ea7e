package arith

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// constantBufferize makes a constant tensor a read-only global buffer.
type constantBufferize struct{ interfaces.BufferizeDefaults }

func (constantBufferize) IsWritable(*ir.Value, interfaces.AnalysisState) bool { return false }

func (constantBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	if _, ok := op.Result(0).Type().(*ir.RankedTensorType); !ok {
		return nil
	}
	space, ok := b.DefaultMemorySpace(op.Result(0).Type())
	if !ok {
		return op.PlainErrorf("could not infer memory space")
	}
	g, err := b.Global(op, op.Attr("value"), space)
	if err != nil {
		return err
	}
	b.Replace(op, g)
	return nil
}

// indexCastBufferize casts the elements of a buffer of integers or indices.
type indexCastBufferize struct{ interfaces.BufferizeDefaults }

func (indexCastBufferize) AliasingValues(u *ir.Use, _ interfaces.AnalysisState) []interfaces.AliasingValue {
	return []interfaces.AliasingValue{{Value: u.Owner().Result(0), Relation: interfaces.Equivalent, Definite: true}}
}

func (indexCastBufferize) BufferType(v *ir.Value, t interfaces.BufferTyper) (ir.Type, error) {
	src, err := t.BufferType(castOp{v.DefiningOp()}.In())
	if err != nil {
		return nil, err
	}
	return t.Context().WithElementType(src, ir.ElementType(v.Type())), nil
}

func (indexCastBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	src, err := b.Buffer(castOp{op}.In())
	if err != nil {
		return err
	}
	t := b.Context().WithElementType(src.Type(), ir.ElementType(op.Result(0).Type()))
	b.Replace(op, b.Builder().CreateOp(op.ID(), []ir.Type{t}, []*ir.Value{src}).Result(0))
	return nil
}

// selectBufferize makes a choice between tensors one between their buffers.
type selectBufferize struct{ interfaces.BufferizeDefaults }

func (selectBufferize) AliasingValues(u *ir.Use, _ interfaces.AnalysisState) []interfaces.AliasingValue {
	return []interfaces.AliasingValue{{Value: u.Owner().Result(0), Relation: interfaces.Equivalent}}
}

func (selectBufferize) BufferType(v *ir.Value, t interfaces.BufferTyper) (ir.Type, error) {
	op := v.DefiningOp()
	a, err := t.BufferType(SelectOp{op}.TrueValue())
	if interfaces.IsUndetermined(err) {
		return t.BufferType(SelectOp{op}.FalseValue())
	} else if err != nil {
		return nil, err
	}
	b, err := t.BufferType(SelectOp{op}.FalseValue())
	if a == b || interfaces.IsUndetermined(err) {
		return a, nil
	} else if err != nil {
		return nil, err
	}
	if interfaces.MemorySpaceOf(a) != interfaces.MemorySpaceOf(b) {
		return nil, op.PlainErrorf("inconsistent memory space on true/false operands")
	}
	// Only the layouts differ.
	return t.DynamicType(v.Type(), interfaces.MemorySpaceOf(a)), nil
}

func (selectBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	if (SelectOp{op}).Condition().Type() != ir.Type(ir.I1) {
		return op.Errorf("only i1 condition values are supported")
	}
	yes, err := b.Buffer(SelectOp{op}.TrueValue())
	if err != nil {
		return err
	}
	no, err := b.Buffer(SelectOp{op}.FalseValue())
	if err != nil {
		return err
	}
	if yes.Type() != no.Type() {
		t, err := b.BufferType(op.Result(0))
		if err != nil {
			return err
		}
		if yes.Type() != t {
			yes = b.CastType(yes, t)
		}
		if no.Type() != t {
			no = b.CastType(no, t)
		}
	}
	b.Replace(op, NewSelect(b.Builder(), SelectOp{op}.Condition(), yes, no))
	return nil
}
