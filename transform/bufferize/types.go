package bufferize

import (
	"freehold/iface"
	"freehold/ir"
)

// typer determines the types of buffers.
type typer struct {
	ctx        *ir.Context
	opts       *Options
	state      *state
	inProgress []*ir.Value
}

func newTyper(c *ir.Context, o *Options, funcs map[*ir.Op]*function) *typer {
	s := newState(o)
	s.funcs = funcs
	return &typer{ctx: c, opts: o, state: s}
}

func (t *typer) Context() *ir.Context       { return t.ctx }
func (t *typer) State() iface.AnalysisState { return t.state }

func (t *typer) BufferType(v *ir.Value) (ir.Type, error) {
	t.inProgress = append(t.inProgress, v)
	defer func() { t.inProgress = t.inProgress[:len(t.inProgress)-1] }()
	if m, ok := t.opts.model(iface.OwnerOf(v)); ok {
		return m.BufferType(v, t)
	}
	return t.UnknownType(v)
}

// InProgress leaves out the innermost request, which is the one being answered.
func (t *typer) InProgress(v *ir.Value) bool {
	for i := 0; i < len(t.inProgress)-1; i++ {
		if t.inProgress[i] == v {
			return true
		}
	}
	return false
}

func (t *typer) UnknownType(v *ir.Value) (ir.Type, error) {
	space, ok := t.DefaultMemorySpace()
	if !ok {
		return nil, iface.OwnerOf(v).PlainErrorf("could not infer memory space")
	}
	if t.opts.UnknownType == IdentityLayout {
		return t.IdentityType(v.Type(), space), nil
	}
	return t.DynamicType(v.Type(), space), nil
}

func (t *typer) IdentityType(typ ir.Type, space ir.Attribute) ir.Type {
	if r, ok := typ.(*ir.RankedTensorType); ok {
		return t.ctx.MemRefOf(r.Shape, r.Elem, nil, space)
	}
	return t.ctx.UnrankedMemRef(ir.ElementType(typ), space)
}

func (t *typer) DynamicType(typ ir.Type, space ir.Attribute) ir.Type {
	r, ok := typ.(*ir.RankedTensorType)
	if !ok {
		return t.ctx.UnrankedMemRef(ir.ElementType(typ), space)
	}
	strides := make([]int64, len(r.Shape))
	for i := range strides {
		strides[i] = ir.Dynamic
	}
	return t.ctx.MemRefOf(r.Shape, r.Elem, t.ctx.StridedLayout(ir.Dynamic, strides), space)
}

func (t *typer) DefaultMemorySpace() (ir.Attribute, bool) {
	return nil, !t.opts.MustInferMemorySpace
}

func (t *typer) FunctionArgType(typ ir.Type, space ir.Attribute, _ *ir.Op) ir.Type {
	if t.opts.FunctionBoundary == IdentityLayout {
		return t.IdentityType(typ, space)
	}
	return t.DynamicType(typ, space)
}

func (t *typer) InferFunctionLayout() bool { return t.opts.FunctionBoundary == InferLayout }
