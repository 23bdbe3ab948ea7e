package oneshot

import (
	"freehold/dialect/bufferization"
	"freehold/dialect/linalg"
	"freehold/dialect/memref"
	"freehold/internal/slab"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// Rewrite carries a plan out: it makes the copies that the plan demands, and replaces
// the operations in root by operations on buffers. What the plan says nothing about works
// in place. If the options say that function boundaries are bufferized, root is a
// module. Options of analyses are not heeded. The error is about operations that can't
// be bufferized; the program is in between then.
//
// A plan is carried out once, and its decisions must be about tensors of the program.
func Rewrite(root *ir.Op, p *Plan, o *Options) error {
	switch {
	case o == nil:
		return errNoOptions(root)
	case p == nil:
		return root.PlainErrorf("there is no plan to carry out; NewPlan returns one by which everything is in place")
	case p.done:
		return root.PlainErrorf("the plan was carried out already; a program that was changed needs a new one")
	}
	if err := p.check(root); err != nil {
		return err
	}
	p.done = true
	t := newTyper(root.Context(), o, p)
	copies, err := insertCopies(root, p, t)
	if err != nil {
		return err
	}
	r := &rewriting{origins: copies, typer: t, b: ir.NewBuilder(root.Context()), globals: newGlobals(p.calls.tables), calls: p.calls}
	r.b.Listener = r
	if o.BufferizeFunctionBoundaries {
		return r.rewriteModule(root)
	}
	return r.bufferize(root)
}

// rewriting replaces operations by operations on buffers.
type rewriting struct {
	*typer
	b     *ir.Builder
	calls *calls
	// work lists the operations to bufferize, those created on the way included.
	work slab.List[*ir.Op]
	// toBuffers lists conversions to fold once everything is bufferized.
	toBuffers slab.List[*ir.Op]
	// spare are erased conversions, which are used again.
	spare []*ir.Op
	// uncopied are the allocations without contents to copy, which are marked so.
	uncopied slab.List[*ir.Op]
	globals  *globals
	// origin is that of what is at work, and origins has those of operations made on the
	// way; only for [Options.Made].
	origin  Origin
	origins map[*ir.Op]Origin
	// alone is the operation of a module that is bufferized by itself. The conversions that stand for its results stay, used or not, as in MLIR: in functions, those
	// without uses are erased in the end.
	alone *ir.Op
	stays map[*ir.Op]bool
	// single is set where one operation is bufferized and nothing else: conversions that it alone used stay as well.
	single bool
	// allocating is set while [Options.Alloc] makes a buffer, which is not told of.
	allocating bool
}

// Marks of operations of the lists.
const (
	gone     = 1 // erased
	uncopied = 2 // see rewriting
)

// forgetUncopied takes the marks off allocations.
func (r *rewriting) forgetUncopied() {
	for i := range r.uncopied.Len() {
		if op := *r.uncopied.At(i); op.Mark() == uncopied {
			op.SetMark(0)
		}
	}
	r.uncopied.Clear()
}

// bufferize replaces everything in root. A tensor that is used by operations
// that are not bufferized yet is a conversion (to_tensor) of its buffer
// meanwhile; in the end, the conversions fold away.
func (r *rewriting) bufferize(root *ir.Op) error {
	o := r.opts
	r.work.Clear()
	r.toBuffers.Clear()
	var atomics []*ir.Op
	defer r.forgetUncopied()
	root.WalkPostOrder(func(op *ir.Op) {
		if op.Is(bufferization.ToMemref) {
			r.toBuffers.Append(op)
		}
		if op.Is(memref.GenericAtomicRMW) {
			atomics = append(atomics, op)
		}
		if o.allows(op) && hasTensors(op) {
			r.work.Append(op)
		}
	})
	for i := 0; i < r.work.Len(); i++ {
		op := *r.work.At(i)
		if op.Mark() == gone {
			continue
		}
		m, ok := o.model(op)
		if !ok || !hasTensors(op) {
			continue
		}
		if !m.UnstructuredControlFlow() {
			for _, region := range op.Regions() {
				if region.NumBlocks() > 1 {
					return op.Errorf("op or BufferizableOpInterface implementation does not support unstructured control flow, but at least one region has multiple blocks")
				}
			}
		}
		r.b.SetBefore(op)
		r.b.Loc = op.Loc()
		r.begin(op)
		if err := m.Bufferize(op, r); err != nil {
			return appendErr(appendErr(nil, err), op.PlainErrorf("failed to bufferize op"))
		}
	}
	if root.Mark() == gone {
		return nil
	}
	for i := range r.toBuffers.Len() {
		op := *r.toBuffers.At(i)
		if op.Mark() != gone {
			if err := r.foldConversion(op); err != nil {
				return err
			}
		}
		// The buffer of a tensor with an encoding has none, so what is left is no conversion.
		if op.Mark() != gone && hasEncoding(bufferization.ToMemrefOp{Op: op}.Tensor().Type()) {
			if err := ir.VerifyOp(op); err != nil {
				return err
			}
		}
	}
	root.WalkPostOrder(func(op *ir.Op) {
		if op.Is(bufferization.ToTensor) && !op.HasUses() {
			r.erase(op)
		}
	})
	for i := range r.uncopied.Len() {
		if op := *r.uncopied.At(i); op.Mark() != gone && !op.HasUses() {
			r.erase(op)
		}
	}
	if err := checkAtomics(atomics); err != nil || o.AllowUnknownOps {
		return err
	}
	for i := range r.work.Len() {
		op := *r.work.At(i)
		switch {
		case op.Mark() == gone, !hasTensors(op), !o.allows(op),
			!op.HasUses() && interfaces.IsMemoryEffectFree(op),
			op.Is(bufferization.ToTensor), op.Is(bufferization.ToMemref):
			continue
		}
		return op.PlainErrorf("op was not bufferized")
	}
	return nil
}

// checkAtomics returns an error for a tensor in the body of an operation that is executed atomically, if its buffer is accessed there.
func checkAtomics(atomics []*ir.Op) (err error) {
	for _, op := range atomics {
		op.Walk(func(x *ir.Op) bool {
			if x != op && err == nil && !interfaces.IsMemoryEffectFree(x) {
				err = x.PlainErrorf("a tensor in the body of '%s' has a buffer, which the body can't access, as it must have no side effects: compute what has tensors before the operation, without the element", op.Name())
			}
			return err == nil
		})
	}
	return err
}

// OpInserted adds what models create to the work list.
func (r *rewriting) OpInserted(op *ir.Op) {
	switch {
	case op.Is(bufferization.ToMemref):
		r.toBuffers.Append(op)
		r.stands(op)
	case op.Is(bufferization.ToTensor):
	case hasTensors(op) && r.opts.allows(op):
		r.work.Append(op)
		r.stands(op)
	default:
		r.inserted(op)
	}
}

func (r *rewriting) Builder() *ir.Builder { return r.b }

func (r *rewriting) Buffer(v *ir.Value) (*ir.Value, error) {
	if op := v.DefiningOp(); op != nil && op.Is(bufferization.ToTensor) {
		return bufferization.ToTensorOp{Op: op}.MemRef(), nil
	}
	t, err := r.BufferType(v)
	if err != nil {
		return nil, err
	}
	at, loc := r.b.InsertionPoint(), r.b.Loc
	r.b.SetAfterValue(v)
	r.b.Loc = v.Loc()
	m := r.ToBuffer(v, t)
	r.b.SetInsertionPoint(at)
	r.b.Loc = loc
	return m, nil
}

func (r *rewriting) ToBuffer(v *ir.Value, t ir.Type) *ir.Value {
	return bufferization.NewToMemref(r.b, t, v)
}

func (r *rewriting) ToTensor(buffer *ir.Value, t ir.Type) *ir.Value {
	n := len(r.spare)
	if n == 0 {
		return r.b.CreateOp(bufferization.ToTensor, []ir.Type{t}, []*ir.Value{buffer}).Result(0)
	}
	op := r.spare[n-1]
	r.spare = r.spare[:n-1]
	op.SetMark(0)
	op.SetLoc(r.b.Loc)
	op.SetOperand(0, buffer)
	op.Result(0).SetType(t)
	return r.b.Insert(op).Result(0)
}

func (r *rewriting) Replace(op *ir.Op, values ...*ir.Value) {
	r.replaceResults(op, values)
	r.erase(op)
}

func (r *rewriting) Modify(op *ir.Op, operands []*ir.Value, values ...*ir.Value) {
	r.replaceResults(op, values)
	var buffer [8]*ir.Op
	conversions := conversionsOf(op, buffer[:0])
	op.SetOperands(operands)
	op.EraseResults()
	r.eraseUnused(conversions)
}

// replaceResults replaces results by values, or, where they are tensors, by tensors that stand for these.
func (r *rewriting) replaceResults(op *ir.Op, values []*ir.Value) {
	at := r.b.InsertionPoint()
	for i, v := range values {
		result := op.Result(i)
		if !result.HasUses() && op != r.alone {
			continue
		}
		r.b.SetAfter(op) // before the tensors of earlier results, as in MLIR
		if interfaces.IsTensorLike(result.Type()) {
			v = r.ToTensor(v, result.Type())
			if op == r.alone {
				r.stays[v.DefiningOp()] = true
			}
		}
		result.ReplaceAllUsesWith(v)
	}
	r.b.SetInsertionPoint(at)
}

func (r *rewriting) Erase(op *ir.Op) { r.erase(op) }

// erase erases an operation, and conversions that only it used.
func (r *rewriting) erase(op *ir.Op) {
	if p := r.b.InsertionPoint(); p.Before == op {
		p.Before = op.Next()
		r.b.SetInsertionPoint(p)
	}
	if op.NumRegions() == 0 {
		op.SetMark(gone)
	} else {
		op.WalkPostOrder(func(o *ir.Op) { o.SetMark(gone) })
	}
	var buffer [8]*ir.Op
	conversions := conversionsOf(op, buffer[:0])
	op.Erase()
	r.eraseUnused(conversions)
}

// conversionsOf appends the conversions to tensors that define operands.
func conversionsOf(op *ir.Op, list []*ir.Op) []*ir.Op {
	for i := range op.NumOperands() {
		if def := op.Operand(i).DefiningOp(); def != nil && def.Is(bufferization.ToTensor) {
			list = append(list, def)
		}
	}
	return list
}

// eraseUnused erases conversions that nothing uses, and keeps them for others.
func (r *rewriting) eraseUnused(conversions []*ir.Op) {
	if r.single {
		return
	}
	for _, c := range conversions {
		if c.Mark() != gone && !c.HasUses() {
			r.erase(c)
			if len(c.AllAttrs()) == 0 {
				r.spare = append(r.spare, c)
			}
		}
	}
}

func (r *rewriting) Alloc(t *ir.MemRefType, dynamicSizes []*ir.Value) (*ir.Value, error) {
	return r.aligned(t, dynamicSizes, int64(r.opts.BufferAlignment))
}

func (r *rewriting) aligned(t *ir.MemRefType, dynamicSizes []*ir.Value, alignment int64) (*ir.Value, error) {
	r.opts.Allocs.Add(1)
	if r.opts.Alloc != nil {
		r.allocating = true
		buffer, err := r.opts.Alloc(r.b, t, dynamicSizes)
		r.allocating = false
		switch {
		case err != nil:
			return nil, err
		case buffer == nil:
			return nil, ir.Errorf(r.b.Loc, "Options.Alloc returned no buffer of type '%s', and no error", t)
		}
		return buffer, nil
	}
	return memref.NewAlloc(r.b, t, dynamicSizes, alignment), nil // which inserted tells of
}

func (r *rewriting) Dealloc(buffer *ir.Value) error {
	if r.opts.Dealloc != nil {
		return r.opts.Dealloc(r.b, buffer)
	}
	memref.NewDealloc(r.b, buffer)
	return nil
}

func (r *rewriting) Copy(from, to *ir.Value) error {
	r.opts.Copies.Add(1)
	if r.opts.Copy != nil {
		return r.opts.Copy(r.b, from, to)
	}
	r.made(memref.NewCopy(r.b, from, to))
	return nil
}

func (r *rewriting) Cast(v *ir.Value, t *ir.MemRefType) (*ir.Value, error) {
	src, ok := v.Type().(*ir.MemRefType)
	if ok && memref.CastNeverFails(src, t) {
		return memref.NewCast(r.b, t, v), nil
	}
	var sizes []*ir.Value
	for i, d := range t.Shape {
		if d == ir.Dynamic {
			sizes = append(sizes, memref.NewDim(r.b, v, i))
		}
	}
	origin := r.origin
	r.origin.Use, r.origin.Layout = nil, true
	defer func() { r.origin = origin }()
	alignment := int64(r.opts.BufferAlignment)
	if r.opts.LLVM == 16 {
		alignment = 0 // where options say nothing of these buffers
	}
	a, err := r.aligned(t, sizes, alignment)
	if err != nil {
		return nil, err
	}
	return a, r.Copy(v, a)
}

// foldConversion replaces to_memref(to_tensor(m)) by m, cast where the types
// differ. Between memory spaces there is no cast: those conversions stay.
func (r *rewriting) foldConversion(op *ir.Op) error {
	def := bufferization.ToMemrefOp{Op: op}.Tensor().DefiningOp()
	if def == nil || !def.Is(bufferization.ToTensor) {
		return nil
	}
	m := bufferization.ToTensorOp{Op: def}.MemRef()
	src, dst := m.Type(), op.Result(0).Type()
	r.b.SetBefore(op)
	r.b.Loc = m.Loc()
	switch {
	case src == dst:
	case interfaces.MemorySpaceOf(src) != interfaces.MemorySpaceOf(dst):
		return nil
	case isRanked(src) && isRanked(dst):
		r.beginConversion(op)
		c, err := r.Cast(m, dst.(*ir.MemRefType))
		if err != nil {
			return err
		}
		m = c
	case isUnranked(src) && isRanked(dst):
		return nil
	default:
		r.b.Loc = op.Loc()
		m = r.CastType(m, dst)
	}
	op.Result(0).ReplaceAllUsesWith(m)
	r.erase(op)
	return nil
}

func isRanked(t ir.Type) bool { _, ok := t.(*ir.MemRefType); return ok }

func isUnranked(t ir.Type) bool { _, ok := t.(*ir.UnrankedMemRefType); return ok }

// CastType returns the buffer as one of another type. Where there is no such cast, what it
// creates is invalid, which the verifier says.
func (r *rewriting) CastType(v *ir.Value, t ir.Type) *ir.Value {
	for _, like := range []ir.Type{v.Type(), t} {
		if m, ok := interfaces.BufferLike.OfType(like); ok {
			if c := m.Cast(r.b, v, t); c != nil {
				return c
			}
		}
	}
	return memref.NewCast(r.b, t, v)
}

func (r *rewriting) CopyTensor(v *ir.Value, data bool) (*ir.Value, error) {
	c := &copier{typer: r.typer, b: r.b}
	t, ranked := v.Type().(*ir.RankedTensorType)
	if data || !ranked || r.opts.Alloc != nil || r.opts.restricted() {
		return c.copyTensor(v, data)
	}
	// What would become of an alloc_tensor is made at once.
	sizes := c.dynamicSizes(v, t)
	bt, err := r.BufferType(v)
	if err != nil {
		return nil, err
	}
	buffer, err := r.Alloc(r.IdentityType(t, interfaces.MemorySpaceOf(bt)).(*ir.MemRefType), sizes)
	if err != nil {
		return nil, err
	}
	if op := buffer.DefiningOp(); op != nil && op.Mark() == 0 {
		op.SetMark(uncopied)
		r.uncopied.Append(op)
	}
	return r.ToTensor(buffer, t), nil
}

func (r *rewriting) SizeOf(buffer *ir.Value, i int) shapes.OpFoldResult {
	if op := buffer.DefiningOp(); op != nil && op.Mark() == uncopied {
		return memref.SizeOf(r.b, buffer, i)
	}
	return memref.KnownSizeOf(r.b, buffer, i)
}

func (r *rewriting) MapElements(dest *ir.Value, body func(b *ir.Builder, indices []*ir.Value) *ir.Value) *ir.Value {
	rank := len(dest.Type().(*ir.RankedTensorType).Shape)
	return linalg.NewMap(r.b, nil, dest, func(b *ir.Builder, _ []*ir.Value) []*ir.Value {
		indices := make([]*ir.Value, rank)
		for i := range indices {
			indices[i] = r.b.CreateOp(linalg.Index, []ir.Type{ir.Index}, nil, ir.NamedAttr{Name: "dim", Value: b.Context().I64Attr(int64(i))}).Result(0)
		}
		return []*ir.Value{body(b, indices)}
	}).Result(0)
}

// Global returns the buffer of a global of the module with the given contents,
// which is created unless there is one.
func (r *rewriting) Global(op *ir.Op, value, space ir.Attribute) (*ir.Value, error) {
	module := op.ParentWith(ir.TraitSymbolTable)
	if module == nil {
		return nil, op.PlainErrorf("constant is not nested in a module")
	}
	value = withoutEncoding(op.Context(), value)
	t, ok := r.IdentityType(ir.TypeOfAttr(value), space).(*ir.MemRefType)
	if !ok {
		return nil, op.PlainErrorf("constant has no ranked type")
	}
	return memref.NewGetGlobal(r.b, t, r.globals.nameOf(module, t, value, int64(r.opts.BufferAlignment), op.Loc())), nil
}

func (r *rewriting) BufferizeBlockArgs(blk *ir.Block) error {
	types := make([]ir.Type, blk.NumArgs())
	for i, a := range blk.Args() {
		types[i] = a.Type()
		if interfaces.IsTensorLike(a.Type()) {
			t, err := r.BufferType(a)
			if err != nil {
				return err
			}
			types[i] = t
		}
	}
	at := r.b.InsertionPoint()
	defer r.b.SetInsertionPoint(at)
	for i, a := range blk.Args() {
		if a.Type() == types[i] {
			continue
		}
		uses, tensorType := a.Uses(), a.Type()
		a.SetType(types[i])
		if len(uses) > 0 {
			r.b.SetStart(blk)
			r.b.Loc = a.Loc()
			t := r.ToTensor(a, tensorType)
			for _, u := range uses {
				u.Set(t)
			}
		}
	}
	for p := blk.FirstPred(); p != nil; p = p.NextPred() {
		br, ok := interfaces.Branch.Of(p.Owner())
		if !ok {
			return p.Owner().Errorf("cannot bufferize ops with block references that do not implement BranchOpInterface")
		}
		start, n, produced := br.SuccessorOperands(p.Owner(), p.Index())
		values := make([]*ir.Value, n)
		for i := range values {
			v := p.Owner().Operand(start + i)
			t := types[produced+i]
			if v.Type() != t {
				bt, err := r.BufferType(v)
				if err != nil {
					return err
				}
				r.b.SetAfterValue(v)
				r.b.Loc = v.Loc()
				v = r.ToBuffer(v, bt)
				if bt != t {
					v = r.CastType(v, t)
				}
			}
			values[i] = v
		}
		br.SetSuccessorOperands(p.Owner(), p.Index(), values)
	}
	return nil
}

func hasEncoding(t ir.Type) bool {
	r, ok := t.(*ir.RankedTensorType)
	return ok && r.Encoding != nil
}
