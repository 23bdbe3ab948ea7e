package bufferize

import (
	"freehold/dialect/bufferization"
	"freehold/dialect/linalg"
	"freehold/dialect/memref"
	"freehold/iface"
	"freehold/ir"
)

// bufferizer replaces the operations of one root by operations on buffers.
type bufferizer struct {
	*typer
	b *ir.Builder
	// work lists the operations to bufferize, those created on the way included.
	work []*ir.Op
	// gone holds erased operations of the list.
	gone map[*ir.Op]bool
	// toBuffers lists conversions to fold once everything is bufferized.
	toBuffers []*ir.Op
	globals   *globals
}

// bufferizeOps replaces everything in root. A tensor that is used by operations
// that are not bufferized yet is a conversion (to_tensor) of its buffer
// meanwhile; in the end, the conversions fold away.
func bufferizeOps(root *ir.Op, o *Options, funcs map[*ir.Op]*function, g *globals) error {
	z := &bufferizer{globals: g, typer: newTyper(root.Context(), o, funcs), b: ir.NewBuilder(root.Context()), gone: map[*ir.Op]bool{}}
	if o.CopyBeforeWrite {
		s := newState(o)
		s.funcs = funcs
		if err := insertCopies(root, s); err != nil {
			return err
		}
	}
	root.WalkPostOrder(func(op *ir.Op) {
		if op.Is(bufferization.ToMemref) {
			z.toBuffers = append(z.toBuffers, op)
		}
		if o.allows(op) && hasTensors(op) {
			z.work = append(z.work, op)
		}
	})
	z.b.Listener = z
	for i := 0; i < len(z.work); i++ {
		op := z.work[i]
		if z.gone[op] {
			continue
		}
		m, ok := o.model(op)
		if !ok || !hasTensors(op) {
			continue
		}
		if !m.UnstructuredControlFlow() {
			for _, r := range op.Regions() {
				if r.NumBlocks() > 1 {
					return op.Errorf("op or BufferizableOpInterface implementation does not support unstructured control flow, but at least one region has multiple blocks")
				}
			}
		}
		z.b.SetBefore(op)
		z.b.Loc = op.Loc()
		if err := m.Bufferize(op, z); err != nil {
			return appendErr(appendErr(nil, err), op.PlainErrorf("failed to bufferize op"))
		}
	}
	if z.gone[root] {
		return nil
	}
	for _, op := range z.toBuffers {
		if !z.gone[op] {
			if err := z.foldConversion(op); err != nil {
				return err
			}
		}
	}
	root.WalkPostOrder(func(op *ir.Op) {
		if op.Is(bufferization.ToTensor) && !op.HasUses() {
			z.erase(op)
		}
	})
	if o.AllowUnknownOps {
		return nil
	}
	for _, op := range z.work {
		switch {
		case z.gone[op], !hasTensors(op), !o.allows(op),
			!op.HasUses() && iface.IsMemoryEffectFree(op),
			op.Is(bufferization.ToTensor), op.Is(bufferization.ToMemref):
			continue
		}
		return op.PlainErrorf("op was not bufferized")
	}
	return nil
}

// OpInserted adds what models create to the work list.
func (z *bufferizer) OpInserted(op *ir.Op) {
	switch {
	case op.Is(bufferization.ToMemref):
		z.toBuffers = append(z.toBuffers, op)
	case op.Is(bufferization.ToTensor):
	case hasTensors(op) && z.opts.allows(op):
		z.work = append(z.work, op)
	}
}

func (z *bufferizer) Builder() *ir.Builder { return z.b }

func (z *bufferizer) Buffer(v *ir.Value) (*ir.Value, error) {
	if op := v.DefiningOp(); op != nil && op.Is(bufferization.ToTensor) {
		return op.Operand(0), nil
	}
	t, err := z.BufferType(v)
	if err != nil {
		return nil, err
	}
	at := z.b.InsertionPoint()
	z.b.SetAfterValue(v)
	m := z.ToBuffer(v, t)
	z.b.SetInsertionPoint(at)
	return m, nil
}

func (z *bufferizer) ToBuffer(v *ir.Value, t ir.Type) *ir.Value {
	return bufferization.NewToMemref(z.b, t, v)
}

func (z *bufferizer) ToTensor(buffer *ir.Value, t ir.Type) *ir.Value {
	return z.b.CreateOp(bufferization.ToTensor, []ir.Type{t}, []*ir.Value{buffer}).Result(0)
}

func (z *bufferizer) Replace(op *ir.Op, values ...*ir.Value) {
	at := z.b.InsertionPoint()
	z.b.SetAfter(op)
	for i, v := range values {
		r := op.Result(i)
		if ir.IsTensor(r.Type()) {
			v = z.ToTensor(v, r.Type())
		}
		r.ReplaceAllUsesWith(v)
	}
	z.b.SetInsertionPoint(at)
	z.erase(op)
}

func (z *bufferizer) Erase(op *ir.Op) { z.erase(op) }

func (z *bufferizer) erase(op *ir.Op) {
	if p := z.b.InsertionPoint(); p.Before == op {
		p.Before = op.Next()
		z.b.SetInsertionPoint(p)
	}
	op.WalkPostOrder(func(o *ir.Op) { z.gone[o] = true })
	op.Erase()
}

func (z *bufferizer) Alloc(t *ir.MemRefType, dynamicSizes []*ir.Value) (*ir.Value, error) {
	return memref.NewAlloc(z.b, t, dynamicSizes, z.opts.BufferAlignment), nil
}

func (z *bufferizer) Copy(from, to *ir.Value) error {
	memref.NewCopy(z.b, from, to)
	return nil
}

func (z *bufferizer) Cast(v *ir.Value, t *ir.MemRefType) (*ir.Value, error) {
	src, ok := v.Type().(*ir.MemRefType)
	if ok && memref.CastCompatible(src, t) && memref.CastNeverFails(src, t) {
		return memref.NewCast(z.b, t, v), nil
	}
	var sizes []*ir.Value
	for i, d := range t.Shape {
		if d == ir.Dynamic {
			sizes = append(sizes, memref.NewDim(z.b, v, i))
		}
	}
	a, err := z.Alloc(t, sizes)
	if err != nil {
		return nil, err
	}
	return a, z.Copy(v, a)
}

// foldConversion replaces to_memref(to_tensor(m)) by m, cast where the types
// differ. Between memory spaces there is no cast: those conversions stay.
func (z *bufferizer) foldConversion(op *ir.Op) error {
	def := op.Operand(0).DefiningOp()
	if def == nil || !def.Is(bufferization.ToTensor) {
		return nil
	}
	m := def.Operand(0)
	src, dst := m.Type(), op.Result(0).Type()
	z.b.SetBefore(op)
	z.b.Loc = m.Loc()
	switch {
	case src == dst:
	case ir.MemorySpaceOf(src) != ir.MemorySpaceOf(dst):
		return nil
	case isRanked(src) && isRanked(dst):
		c, err := z.Cast(m, dst.(*ir.MemRefType))
		if err != nil {
			return err
		}
		m = c
	case !isRanked(src) && isRanked(dst):
		return nil
	default:
		z.b.Loc = op.Loc()
		m = memref.NewCast(z.b, dst, m)
	}
	op.Result(0).ReplaceAllUsesWith(m)
	z.erase(op)
	return nil
}

func isRanked(t ir.Type) bool { _, ok := t.(*ir.MemRefType); return ok }

func (z *bufferizer) CastType(v *ir.Value, t ir.Type) *ir.Value { return memref.NewCast(z.b, t, v) }

func (z *bufferizer) CopyTensor(v *ir.Value, data bool) (*ir.Value, error) {
	c := &copier{state: z.state, typer: z.typer, b: z.b}
	return c.CopyTensor(v, data)
}

func (z *bufferizer) MapElements(dest *ir.Value, body func(b *ir.Builder, indices []*ir.Value) *ir.Value) *ir.Value {
	rank := len(dest.Type().(*ir.RankedTensorType).Shape)
	return linalg.NewMap(z.b, nil, dest, func(b *ir.Builder, _ []*ir.Value) []*ir.Value {
		indices := make([]*ir.Value, rank)
		for i := range indices {
			indices[i] = z.b.CreateOp(linalg.Index, []ir.Type{ir.Index}, nil, ir.NamedAttr{Name: "dim", Value: b.Context().I64Attr(int64(i))}).Result(0)
		}
		return []*ir.Value{body(b, indices)}
	}).Result(0)
}

// Global returns the buffer of a global of the module with the given contents,
// which is created unless there is one.
func (z *bufferizer) Global(op *ir.Op, value, space ir.Attribute) (*ir.Value, error) {
	module := op.ParentWith(ir.TraitSymbolTable)
	if module == nil {
		return nil, op.PlainErrorf("constant is not nested in a module")
	}
	t, ok := z.IdentityType(ir.TypeOfAttr(value), space).(*ir.MemRefType)
	if !ok {
		return nil, op.PlainErrorf("constant has no ranked type")
	}
	return memref.NewGetGlobal(z.b, t, z.globals.nameOf(module, t, value, z.opts.BufferAlignment, op.Loc())), nil
}

func (z *bufferizer) BufferizeBlockArgs(blk *ir.Block) error {
	types := make([]ir.Type, blk.NumArgs())
	for i, a := range blk.Args() {
		types[i] = a.Type()
		if ir.IsTensor(a.Type()) {
			t, err := z.BufferType(a)
			if err != nil {
				return err
			}
			types[i] = t
		}
	}
	at := z.b.InsertionPoint()
	defer z.b.SetInsertionPoint(at)
	for i, a := range blk.Args() {
		if a.Type() == types[i] {
			continue
		}
		uses, tensorType := a.Uses(), a.Type()
		a.SetType(types[i])
		if len(uses) > 0 {
			z.b.SetStart(blk)
			z.b.Loc = a.Loc()
			t := z.ToTensor(a, tensorType)
			for _, u := range uses {
				u.Set(t)
			}
		}
	}
	for p := blk.FirstPred(); p != nil; p = p.NextPred() {
		br, ok := iface.Branch.Of(p.Owner())
		if !ok {
			return p.Owner().Errorf("cannot bufferize ops with block references that do not implement BranchOpInterface")
		}
		start, n, produced := br.SuccessorOperands(p.Owner(), p.Index())
		values := make([]*ir.Value, n)
		for i := range values {
			v := p.Owner().Operand(start + i)
			t := types[produced+i]
			if v.Type() != t {
				bt, err := z.BufferType(v)
				if err != nil {
					return err
				}
				z.b.SetAfterValue(v)
				z.b.Loc = v.Loc()
				v = z.ToBuffer(v, bt)
				if bt != t {
					v = memref.NewCast(z.b, t, v)
				}
			}
			values[i] = v
		}
		br.SetSuccessorOperands(p.Owner(), p.Index(), values)
	}
	return nil
}
