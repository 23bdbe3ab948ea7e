package oneshot

import (
	"freehold/dialect/bufferization"
	"freehold/dialect/memref"
	"freehold/dialect/tensor"
	"freehold/dialect/vector"
	"freehold/ir"
)

// Allocation says how [BufferizeToAllocation] makes the buffer of an operation.
type Allocation struct {
	// MemorySpace is that of the buffer.
	MemorySpace ir.Attribute
	// Stack allocates the buffer on the stack. Dealloc frees one on the heap at the end of its block.
	Stack, Dealloc bool
	// DestinationOnly leaves the operation on tensors, whose destination is in the buffer. What
	// has no destination is bufferized in any case.
	DestinationOnly bool
	// Copy makes the copy of one buffer to another, if contents are copied; nil copies a
	// tensor by bufferization.materialize_in_destination.
	Copy func(b *ir.Builder, from, to *ir.Value)
}

// Allocated is what [BufferizeToAllocation] made.
type Allocated struct {
	Buffer *ir.Value
	// Ops are the new operations, in the order in which they were made.
	Ops []*ir.Op
}

// BufferizeToAllocation gives an operation a new buffer for its destination, and bufferizes it, and nothing else, without an analysis: operations around it are
// on tensors as before. A bufferization.alloc_tensor becomes the buffer, a tensor.pad a buffer that is filled, and whose middle gets what is padded; vector.mask is
// bufferized with what it masks. Of other operations there must be exactly one operand that results may share the buffer of, or that is written. After an error the program may be in between.
func BufferizeToAllocation(op *ir.Op, a Allocation) (Allocated, error) {
	c := op.Context()
	o := DefaultOptions()
	o.LLVM = uint32(c.LLVM())
	o.Rules = o.LLVM
	p := NewPlan()
	t := newTyper(c, o, p)
	r := &rewriting{typer: t, b: ir.NewBuilder(c), globals: newGlobals(p.calls.tables), calls: p.calls, single: true}
	defer r.forgetUncopied()
	m := &allocating{Allocation: a, r: r, b: r.b, old: map[*ir.Op]bool{}}
	op.Walk(func(x *ir.Op) bool {
		m.old[x] = true
		return true
	})
	r.b.Listener = m
	buffer, err := m.bufferize(op)
	return Allocated{Buffer: buffer, Ops: m.stillThere()}, err
}

// allocating is the work of [BufferizeToAllocation].
type allocating struct {
	Allocation
	r *rewriting
	b *ir.Builder
	// old are the operations that were there before, which may be moved; made are those that weren't.
	old  map[*ir.Op]bool
	made []*ir.Op
}

// OpInserted collects what is new.
func (m *allocating) OpInserted(op *ir.Op) {
	m.r.OpInserted(op)
	if !m.old[op] {
		m.made = append(m.made, op)
	}
}

// stillThere lists the new operations that weren't erased.
func (m *allocating) stillThere() (out []*ir.Op) {
	for _, op := range m.made {
		if op.Mark() != gone && op.Block() != nil {
			out = append(out, op)
		}
	}
	return out
}

func (m *allocating) bufferize(op *ir.Op) (*ir.Value, error) {
	switch {
	case op.Is(tensor.Pad):
		return m.pad(tensor.PadOp{Op: op})
	case op.Is(bufferization.AllocTensor):
		return m.allocTensor(bufferization.AllocTensorOp{Op: op})
	case op.Is(vector.Mask):
		return m.mask(op)
	}
	return m.toAllocation(op, op)
}

// toAllocation bufferizes an operation to a buffer that is allocated before another one.
func (m *allocating) toAllocation(op, at *ir.Op) (*ir.Value, error) {
	u, shared, err := m.destination(op)
	if err != nil {
		return nil, err
	}
	var uses []*ir.Use // of results that may be in the buffer
	for _, v := range shared {
		uses = append(uses, v.Uses()...)
	}
	m.b.SetBefore(at)
	m.b.Loc = op.Loc()
	buffer := m.alloc(u.Value())
	if len(m.r.state.findDefinitions(u.Value())) > 0 {
		m.copy(u.Value(), buffer)
	}
	u.Set(m.toTensor(buffer, u.Value().Type(), m.DestinationOnly))
	if m.DestinationOnly {
		return buffer, nil
	}
	if err := m.onBuffers(op); err != nil {
		return nil, err
	}
	own(uses)
	return buffer, nil
}

// destination finds the operand of an operation whose tensor gets the new buffer, and the results
// that may share it.
func (m *allocating) destination(op *ir.Op) (dest *ir.Use, shared []*ir.Value, err error) {
	s := m.r.state
	model, ok := s.Model(op)
	if !ok {
		return nil, nil, ir.Errorf(op.Loc(), "it can't be bufferized")
	}
	several := false
	add := func(u *ir.Use) {
		several = several || dest != nil && dest != u
		dest = u
	}
	for i := range op.NumResults() {
		v := op.Result(i)
		if !ir.IsTensor(v.Type()) {
			continue
		}
		if _, ranked := v.Type().(*ir.RankedTensorType); !ranked {
			return nil, nil, ir.Errorf(op.Loc(), "a result is an unranked tensor")
		}
		if model.Allocates(v) {
			return nil, nil, ir.Errorf(op.Loc(), "it allocates a result itself")
		}
		operands := s.AliasingOperands(v)
		for _, a := range operands {
			add(a.Use)
		}
		if len(operands) > 0 {
			shared = append(shared, v)
		}
	}
	for i := range op.NumOperands() {
		u := op.OperandUse(i)
		if !ir.IsTensor(u.Value().Type()) || !s.Writes(u) {
			continue
		}
		add(u)
	}
	switch {
	case dest == nil:
		return nil, nil, ir.Errorf(op.Loc(), "it has no destination")
	case several:
		return nil, nil, ir.Errorf(op.Loc(), "there are several tensors that its results may be in, or that it writes")
	}
	if _, ranked := dest.Value().Type().(*ir.RankedTensorType); !ranked {
		return nil, nil, ir.Errorf(op.Loc(), "its destination is an unranked tensor")
	}
	return dest, shared, nil
}

// onBuffers replaces an operation by one on buffers.
func (m *allocating) onBuffers(op *ir.Op) error {
	model, ok := m.r.opts.model(op)
	if !ok {
		return ir.Errorf(op.Loc(), "it can't be bufferized")
	}
	if !model.UnstructuredControlFlow() {
		for _, region := range op.Regions() {
			if region.NumBlocks() > 1 {
				return op.Errorf("op or BufferizableOpInterface implementation does not support unstructured control flow, but at least one region has multiple blocks")
			}
		}
	}
	m.b.SetBefore(op)
	m.b.Loc = op.Loc()
	m.r.alone, m.r.stays = op, map[*ir.Op]bool{}
	if err := model.Bufferize(op, m.r); err != nil {
		return err
	}
	if op.Mark() != gone { // it was modified in place
		m.made = append(m.made, op)
	}
	return nil
}

// allocTensor allocates the tensor as a buffer, with its contents if it is a copy.
func (m *allocating) allocTensor(o bufferization.AllocTensorOp) (*ir.Value, error) {
	if o.Type() == nil {
		return nil, ir.Errorf(o.Loc(), "a result is an unranked tensor")
	}
	m.b.SetBefore(o.Op)
	m.b.Loc = o.Loc()
	buffer := m.alloc(o.Result(0))
	if from := o.CopyOf(); from != nil {
		m.copy(from, buffer)
	}
	o.Result(0).ReplaceAllUsesWith(m.toTensor(buffer, o.Type(), true))
	m.r.erase(o.Op)
	return buffer, nil
}

// mask bufferizes a vector.mask with what it masks, to a buffer that is allocated before it.
func (m *allocating) mask(op *ir.Op) (*ir.Value, error) {
	body := op.BodyBlock(0)
	if body.First() == body.Last() {
		return nil, ir.Errorf(op.Loc(), "it masks nothing")
	}
	buffer, err := m.toAllocation(body.First(), op)
	if err != nil || m.DestinationOnly {
		return buffer, err
	}
	if err := m.onBuffers(body.Last()); err != nil {
		return nil, err
	}
	var unused []*ir.Op
	op.Walk(func(x *ir.Op) bool {
		if x.Is(bufferization.ToTensor) && !x.HasUses() {
			unused = append(unused, x)
		}
		return true
	})
	for _, x := range unused { // there is room for one operation only
		m.r.erase(x)
	}
	var uses []*ir.Use
	for _, v := range op.Results().Values() {
		if ir.IsTensor(v.Type()) {
			uses = append(uses, v.Uses()...)
		}
	}
	if err := m.onBuffers(op); err != nil {
		return nil, err
	}
	own(uses)
	return buffer, nil
}

// own says of the tensors that are used that no other one is in their buffers, and that these may be written.
func own(uses []*ir.Use) {
	for _, u := range uses {
		if def := u.Value().DefiningOp(); def != nil && def.Is(bufferization.ToTensor) {
			ownOne(def)
		}
	}
}

// ownOne says so of the tensor of a bufferization.to_tensor.
func ownOne(op *ir.Op) {
	op.SetAttr(bufferization.RestrictAttr, ir.Unit)
	op.SetAttr(bufferization.WritableFlag, ir.Unit)
}

// alloc allocates a buffer for a tensor.
func (m *allocating) alloc(v *ir.Value) *ir.Value {
	t := v.Type().(*ir.RankedTensorType)
	sizes := (&copier{typer: m.r.typer, b: m.b}).dynamicSizes(v, t)
	bt := m.r.IdentityType(t, m.MemorySpace).(*ir.MemRefType)
	if m.Stack {
		return memref.NewAlloca(m.b, bt, sizes, 0)
	}
	buffer := memref.NewAlloc(m.b, bt, sizes, 0)
	if m.Dealloc {
		at := m.b.InsertionPoint()
		if last := at.Block.Last(); last.Has(ir.TraitTerminator) {
			m.b.SetBefore(last)
		} else {
			m.b.SetEnd(at.Block)
		}
		memref.NewDealloc(m.b, buffer)
		m.b.SetInsertionPoint(at)
	}
	return buffer
}

// copy copies a tensor into a buffer.
func (m *allocating) copy(from, to *ir.Value) {
	if m.Copy == nil {
		bufferization.NewMaterializeInDestination(m.b, from, to)
		return
	}
	source := m.r.ToBuffer(from, m.r.DynamicType(from.Type(), nil))
	source.DefiningOp().SetAttr(bufferization.ReadOnlyAttr, ir.Unit)
	m.Copy(m.b, source, to)
}

// toTensor makes the tensor of a buffer, which may be the only one in it.
func (m *allocating) toTensor(buffer *ir.Value, t ir.Type, own bool) *ir.Value {
	v := m.r.ToTensor(buffer, t)
	if own {
		ownOne(v.DefiningOp())
	}
	return v
}
