package oneshot

import (
	"errors"
	"slices"

	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// typer determines the types of buffers.
type typer struct {
	ctx   *ir.Context
	opts  *Options
	state *state
	// stack holds the requests in progress, each for the sake of the one before it.
	stack []request
	// first is where a value is first on the stack.
	first map[*ir.Value]int
	// known holds what requests found out whose conditions still hold. What is asked for
	// next may have changed by then, so nothing is kept once the stack is empty.
	known map[*ir.Value]typeOf
}

// request is a question for the type of a value's buffer.
type request struct {
	value *ir.Value
	// needs lists, in ascending order, the requests further out at which the search for
	// the answer turned back, as positions on the stack.
	needs []int
	// until lists the values that are known until this request ends.
	until []*ir.Value
}

// typeOf is an answer, which holds as long as the requests that it needs are in
// progress.
type typeOf struct {
	typ   ir.Type
	needs []int
}

// newTyper returns a typer, which asks the plan only about functions and calls.
func newTyper(c *ir.Context, o *Options, p *Plan) *typer {
	if p.calls == nil {
		p.calls = newCalls()
	}
	return &typer{ctx: c, opts: o, state: newState(o, p.functions, p.calls)}
}

func (t *typer) Context() *ir.Context            { return t.ctx }
func (t *typer) State() interfaces.AnalysisState { return t.state }
func (t *typer) Callee(call *ir.Op) *ir.Op       { return t.state.Callee(call) }

// BufferType asks the model of the operation that defines v. Within one request it asks
// at most once for a value, however many ways lead to that, unless these ways turn back
// at different requests.
func (t *typer) BufferType(v *ir.Value) (ir.Type, error) {
	depth := len(t.stack)
	if k, ok := t.known[v]; ok {
		t.need(k.needs...)
		return k.typ, nil
	}
	if t.endless(v) {
		return nil, interfaces.OwnerOf(v).PlainErrorf("the type of its buffer depends on itself")
	}
	t.push(v)
	typ, err := t.askModel(v)
	r := t.pop()
	for _, w := range r.until {
		delete(t.known, w)
	}
	if depth == 0 {
		clear(t.known)
		var u *interfaces.UndeterminedType
		if errors.As(err, &u) {
			if t.opts.CarryThroughConditions {
				return t.UnknownType(v) // nothing is ever passed there
			}
			err = u.Unwrap()
		}
		return typ, err
	}
	if n := len(r.needs); n > 0 && r.needs[n-1] == depth {
		r.needs = r.needs[:n-1]
	}
	t.need(r.needs...)
	if err == nil {
		if t.known == nil {
			t.known = map[*ir.Value]typeOf{}
		}
		t.known[v] = typeOf{typ, r.needs}
		if n := len(r.needs); n > 0 {
			last := &t.stack[r.needs[n-1]]
			last.until = append(last.until, v)
		}
	}
	return typ, err
}

// endless tells whether v is asked for again and again: where an operation that isn't reached
// uses its own result. It looks now and then, so that deep requests take linear time.
func (t *typer) endless(v *ir.Value) bool {
	if depth := len(t.stack); depth < 64 || depth&(depth-1) != 0 {
		return false
	}
	times := 0
	for i := range t.stack {
		if t.stack[i].value == v {
			times++
		}
	}
	return times > 2
}

func (t *typer) askModel(v *ir.Value) (ir.Type, error) {
	if op := v.DefiningOp(); t.opts.CarryThroughConditions && op != nil && op.Is(tensor.Empty) {
		// It becomes an allocation, of which MLIR's pass knows nothing yet.
		if space, ok := t.DefaultMemorySpace(v.Type()); ok {
			return t.IdentityType(v.Type(), space), nil
		}
	}
	if m, ok := t.opts.model(interfaces.OwnerOf(v)); ok {
		return m.BufferType(v, t)
	}
	return t.UnknownType(v)
}

// need records that the innermost request turned back at others.
func (t *typer) need(positions ...int) {
	if len(t.stack) == 0 {
		return
	}
	r := &t.stack[len(t.stack)-1]
	for _, p := range positions {
		if i, found := slices.BinarySearch(r.needs, p); !found {
			r.needs = slices.Insert(r.needs, i, p)
		}
	}
}

// InProgress leaves out the innermost request, which is the one being answered.
func (t *typer) InProgress(v *ir.Value) bool {
	i, ok := t.first[v]
	if ok = ok && i < len(t.stack)-1; ok {
		t.need(i)
	}
	return ok
}

// push begins a request.
func (t *typer) push(v *ir.Value) {
	if _, ok := t.first[v]; !ok {
		if t.first == nil {
			t.first = map[*ir.Value]int{}
		}
		t.first[v] = len(t.stack)
	}
	t.stack = append(t.stack, request{value: v})
}

// pop ends the innermost request.
func (t *typer) pop() request {
	depth := len(t.stack) - 1
	r := t.stack[depth]
	t.stack = t.stack[:depth]
	if t.first[r.value] == depth {
		delete(t.first, r.value)
	}
	return r
}

func (t *typer) UnknownType(v *ir.Value) (ir.Type, error) {
	space, ok := t.DefaultMemorySpace(v.Type())
	if !ok {
		return nil, interfaces.OwnerOf(v).PlainErrorf("could not infer memory space")
	}
	if _, ok := interfaces.TensorLike.OfType(v.Type()); ok {
		return t.IdentityType(v.Type(), space), nil
	}
	if t.opts.ConvertUnknownType != nil {
		return t.opts.ConvertUnknownType(v, space), nil
	}
	if t.opts.UnknownType == IdentityLayout {
		return t.IdentityType(v.Type(), space), nil
	}
	return t.DynamicType(v.Type(), space), nil
}

func (t *typer) IdentityType(typ ir.Type, space ir.Attribute) ir.Type {
	switch r := typ.(type) {
	case *ir.RankedTensorType:
		return t.ctx.MemRefOf(r.Shape, r.Elem, nil, space)
	case *ir.DialectType:
		if m, ok := interfaces.TensorLike.OfType(r); ok {
			return m.BufferType(t.ctx, r, space)
		}
	}
	return t.ctx.UnrankedMemRef(ir.ElementType(typ), space)
}

func (t *typer) DynamicType(typ ir.Type, space ir.Attribute) ir.Type {
	r, ok := typ.(*ir.RankedTensorType)
	if !ok {
		return t.IdentityType(typ, space)
	}
	strides := make([]int64, len(r.Shape))
	for i := range strides {
		strides[i] = ir.Dynamic
	}
	return t.ctx.MemRefOf(r.Shape, r.Elem, t.ctx.StridedLayout(ir.Dynamic, strides), space)
}

func (t *typer) DefaultMemorySpace(tensor ir.Type) (ir.Attribute, bool) {
	if t.opts.MemorySpace != nil {
		return t.opts.MemorySpace(tensor)
	}
	if r, ok := tensor.(*ir.RankedTensorType); ok && t.opts.UseEncodingForMemorySpace {
		return r.Encoding, true
	}
	return nil, !t.opts.MustInferMemorySpace
}

func (t *typer) FunctionArgType(typ ir.Type, space ir.Attribute, fn *ir.Op) ir.Type {
	if t.opts.ConvertFunctionType != nil {
		return t.opts.ConvertFunctionType(typ, space, fn)
	}
	if t.opts.FunctionBoundary == IdentityLayout {
		return t.IdentityType(typ, space)
	}
	return t.DynamicType(typ, space)
}

func (t *typer) AllowExternalResults() bool { return t.opts.external() }

func (t *typer) InferFunctionLayout() bool { return t.opts.FunctionBoundary == InferLayout }
