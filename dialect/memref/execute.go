package memref

import (
	"slices"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// executeAlloca is how memref.alloca executes.
func executeAlloca(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	c.OnStack()
	return executeAlloc(c, op, exec.Stack)
}

// executeLoad is how memref.load executes.
func executeLoad(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	return c.Load(op, LoadOp{op}.MemRef(), op.Result(0), c.Words(op.OperandGroup(1))), nil
}

// executeStore is how memref.store executes.
func executeStore(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	return c.Store(op, StoreOp{op}.Value(), StoreOp{op}.MemRef(), c.Words(op.OperandGroup(2))), nil
}

// executeRank is how memref.rank executes.
func executeRank(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	m, d := c.Object(RankOp{op}.MemRef()), c.Word(op.Result(0))
	return func(f *exec.Frame) error {
		f.W[d] = uint64(len(f.O[m].(*exec.MemRef).Sizes))
		return nil
	}, nil
}

// executeExtractAlignedPointerAsIndex is how memref.extract_aligned_pointer_as_index executes.
func executeExtractAlignedPointerAsIndex(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	m, d := c.Object(ExtractAlignedPointerAsIndexOp{op}.Source()), c.Word(op.Result(0))
	return func(f *exec.Frame) error {
		f.W[d] = f.O[m].(*exec.MemRef).Address()
		return nil
	}, nil
}

// executeAllocaScope is how memref.alloca_scope executes.
func executeAllocaScope(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	body, err := c.Region(op.RegionAt(0), c.Regs(op.Results().Values()))
	if err != nil {
		return nil, err
	}
	return body.Run, nil
}

// layoutOf returns a function that computes the strides of an allocation of a
// type for given sizes, and the offset of its first element.
func layoutOf(t *ir.MemRefType) (strides func(sizes []int64) []int64, offset int64) {
	if t.Layout == nil {
		return exec.RowMajor, 0
	}
	fixed, offset, ok := t.StridesAndOffset()
	if !ok || offset == ir.Dynamic || !ir.IsStaticShape(fixed) {
		// A layout puts different elements at different places, and that is all a program
		// can see of one without strides, or with strides that its type doesn't tell.
		return exec.RowMajor, 0
	}
	return func([]int64) []int64 { return fixed }, offset
}

func executeAlloc(c *exec.Compiler, op *ir.Op, origin exec.Origin) (exec.Step, error) {
	return CompileAlloc(c, op, origin, op.OperandGroup(0))
}

// CompileAlloc compiles an operation whose first result is a new buffer, with the operands that are its dynamic sizes.
func CompileAlloc(c *exec.Compiler, op *ir.Op, origin exec.Origin, dynamicSizes ir.Operands) (exec.Step, error) {
	t := memrefOf(op.Result(0).Type())
	strides, offset := layoutOf(t)
	sizes, e, d := c.Shape(t.Shape, dynamicSizes), exec.ElemOf(t.Elem), c.Object(op.Result(0))
	return func(f *exec.Frame) error {
		m := &exec.MemRef{Elem: e, Sizes: sizes(f), Offset: offset}
		count, err := f.M.Elements(op, e, m.Sizes)
		if err != nil {
			return err
		}
		m.Strides = strides(m.Sizes)
		if t.Layout != nil && count > 0 {
			count = offset + 1
			for i, n := range m.Sizes {
				if n > 1 && m.Strides[i] > (f.M.MaxBytes-count)/(n-1) {
					return exec.Findf(exec.MemoryLimit, op, "the layout exceeds the memory limit of %d bytes", f.M.MaxBytes)
				}
				count += (n - 1) * m.Strides[i]
			}
		}
		if m.Alloc, err = f.M.NewAlloc(op, origin, e, t, count); err != nil {
			return err
		}
		m.Alloc.First = offset
		f.O[d] = m
		return nil
	}, nil
}

func executeRealloc(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	t := memrefOf(op.Result(0).Type())
	sizes, e := c.Shape(t.Shape, op.OperandGroup(1)), exec.ElemOf(t.Elem)
	src, d := c.Object(ReallocOp{op}.Source()), c.Object(op.Result(0))
	return func(f *exec.Frame) error {
		old := f.O[src].(*exec.MemRef)
		if err := old.Access(op); err != nil {
			return err
		}
		n := sizes(f)
		count, err := f.M.Elements(op, e, n)
		if err != nil {
			return err
		}
		a, err := f.M.NewAlloc(op, exec.Heap, e, t, count)
		if err != nil {
			return err
		}
		m := &exec.MemRef{Alloc: a, Elem: e, Sizes: n, Strides: []int64{1}}
		from, to := old.View(), m.View()
		from.Sizes = []int64{min(n[0], from.Sizes[0])}
		to.Sizes = from.Sizes
		if err := f.M.Charge(op, from.Sizes[0]); err != nil {
			return err
		}
		if err := exec.CopyView(op, to, from); err != nil {
			return err
		}
		f.M.CountCopy(op, a, old.Alloc, from.Sizes[0]*e.Bytes)
		f.O[d] = m
		return f.M.Free(op, old)
	}, nil
}

// executeAlignment checks where the first element is: allocations start at addresses
// that are aligned in any way.
func executeAlignment(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	m, a, d := c.Object(AssumeAlignmentOp{op}.MemRef()), op.Attr("alignment").(*ir.IntegerAttr), -1
	if op.NumResults() > 0 {
		d = c.Object(op.Result(0))
	}
	return func(f *exec.Frame) error {
		if at := f.O[m].(*exec.MemRef).FirstAddress(); at%uint64(a.Value) != 0 {
			return exec.Findf(exec.Undefined, op, "the memref is not aligned to %d bytes", a.Value)
		}
		if d >= 0 {
			f.O[d] = f.O[m]
		}
		return nil
	}, nil
}

func executeDistinctObjects(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	objects := make([]int, op.NumOperands())
	for i := range objects {
		objects[i] = c.Object(op.Operand(i))
	}
	results := make([]int, op.NumResults())
	for i := range results {
		results[i] = c.Object(op.Result(i))
	}
	return func(f *exec.Frame) error {
		seen := make(map[*exec.Alloc]bool, len(objects))
		for _, m := range objects {
			a := f.O[m].(*exec.MemRef).Alloc
			if seen[a] {
				return exec.Findf(exec.Undefined, op, "two of the memrefs are parts of one buffer")
			}
			seen[a] = true
		}
		for i, r := range results {
			f.O[r] = f.O[objects[i]]
		}
		return nil
	}, nil
}

func executeDealloc(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	m := c.Object(DeallocOp{op}.MemRef())
	return func(f *exec.Frame) error {
		v := f.O[m].(*exec.MemRef)
		if a := v.Alloc; a != nil && a.Live() && a.Maker != nil && interfaces.FreedBy.Has(a.Maker) {
			return exec.Findf(exec.InvalidFree, op, "what '%s' allocated is freed by '%s'", a.Maker.Name(), op.Name())
		}
		return f.M.Free(op, v)
	}, nil
}

func executeCopy(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	src, dst := c.Object(CopyOp{op}.Source()), c.Object(CopyOp{op}.Target())
	return func(f *exec.Frame) error {
		return exec.CopyMemRef(f, op, f.O[dst].(*exec.MemRef), f.O[src].(*exec.MemRef))
	}, nil
}

func executeDim(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	m, i, d := c.Object(DimOp{op}.Source()), c.Word(DimOp{op}.Index()), c.Word(op.Result(0))
	return func(f *exec.Frame) error {
		sizes := f.O[m].(*exec.MemRef).Sizes
		if f.W[i] >= uint64(len(sizes)) {
			return exec.Findf(exec.OutOfBounds, op, "dimension %d of a memref of rank %d is asked for", int64(f.W[i]), len(sizes))
		}
		f.W[d] = uint64(sizes[f.W[i]])
		return nil
	}, nil
}

func executeCast(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	src, d := c.Object(CastOp{op}.Source()), c.Object(op.Result(0))
	t := memrefOf(op.Result(0).Type())
	return func(f *exec.Frame) error {
		m := f.O[src].(*exec.MemRef)
		if t != nil {
			if err := m.FitsType(op, t); err != nil {
				return err
			}
		}
		f.O[d] = m
		return nil
	}, nil
}

func executeSubView(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	o := SubViewOp{op}
	slice, src, d := c.Slice(op), c.Object(o.Source()), c.Object(op.Result(0))
	dropped := droppedFor(o)
	if dropped == nil {
		return nil, exec.Unsupported(op, "its types do not fit")
	}
	return func(f *exec.Frame) error {
		m := f.O[src].(*exec.MemRef)
		offsets, sizes, strides := slice(f)
		if _, err := m.View().Sub(op, offsets, sizes, strides); err != nil {
			return err
		}
		out := *m
		out.Base = false
		steps := make([]int64, len(strides))
		for i := range strides {
			out.Offset += offsets[i] * m.Strides[i]
			steps[i] = strides[i] * m.Strides[i]
		}
		out.Sizes, out.Strides = exec.Without(sizes, steps, dropped)
		f.O[d] = &out
		return nil
	}, nil
}

// droppedFor returns which dimensions the result leaves out: where the strides
// make it other ones than its sizes do, those that its sizes say.
func droppedFor(o SubViewOp) []bool {
	sizes, shape := shapes.StaticOf(interfaces.MixedSizes(o.Op)), o.Type().Shape
	dropped := o.DroppedDims()
	if dropped != nil {
		if kept, _ := exec.Without(sizes, sizes, dropped); slices.Equal(kept, shape) {
			return dropped
		}
	}
	if bySize, ok := shapes.RankReduction(sizes, shape); ok {
		return bySize
	}
	return dropped
}

// executeDMA is how memref.dma_start executes.
func executeDMA(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	parts, err := dmaLayout(op)
	if err != nil {
		return nil, err
	}
	side := func(at int) exec.TransferSide {
		t := memrefOf(op.Operand(at).Type())
		return exec.TransferSide{Ref: op.Operand(at), Index: c.Words(op.Operands()[at+1 : at+1+len(t.Shape)])}
	}
	count := []*ir.Value{op.Operand(parts.count)}
	for i := parts.stride; i < op.NumOperands(); i++ {
		count = append(count, op.Operand(i))
	}
	return c.Transfer(op, side(parts.src), side(parts.dst), side(parts.tag), count), nil
}

// executeDMAWait is how memref.dma_wait executes.
func executeDMAWait(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	return c.Wait(op, exec.TransferSide{Ref: DmaWaitOp{op}.TagMemRef(), Index: c.Words(op.OperandGroup(1))}), nil
}

func executeReinterpretCast(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	slice, src, d := c.Slice(op), c.Object(ReinterpretCastOp{op}.Source()), c.Object(op.Result(0))
	return func(f *exec.Frame) error {
		out := *f.O[src].(*exec.MemRef)
		offsets, sizes, strides := slice(f)
		// What starts where the base starts and has no sizes is still the base.
		out.Base = out.Base && len(sizes) == 0 && offsets[0] == 0
		out.Offset, out.Sizes, out.Strides = offsets[0], sizes, strides
		if err := exec.CheckNotNegative(op, sizes); err != nil {
			return err
		}
		f.O[d] = &out
		return nil
	}, nil
}

func executeMetadata(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	src, base := c.Object(ExtractStridedMetadataOp{op}.Source()), c.Object(op.Result(0))
	words := make([]int, op.NumResults()-1)
	for i := range words {
		words[i] = c.Word(op.Result(i + 1))
	}
	return func(f *exec.Frame) error {
		m := f.O[src].(*exec.MemRef)
		f.O[base] = &exec.MemRef{Alloc: m.Alloc, Elem: m.Elem, Shift: m.Shift, Base: true}
		f.W[words[0]] = uint64(m.Offset)
		for i, n := range m.Sizes {
			f.W[words[1+i]] = uint64(n)
			f.W[words[1+len(m.Sizes)+i]] = uint64(m.Strides[i])
		}
		return nil
	}, nil
}

func executeExpand(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	sizes := c.Sizes(interfaces.MixedList(op, 1, StaticOutputShapeAttr))
	src, d, groups := c.Object(ExpandShapeOp{op}.Source()), c.Object(op.Result(0)), exec.Groups(op.Attr(ReassociationAttr))
	return func(f *exec.Frame) error {
		m, err := f.O[src].(*exec.MemRef).Expand(op, groups, sizes(f))
		f.O[d] = m
		return err
	}, nil
}

func executeCollapse(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	src, d, groups := c.Object(CollapseShapeOp{op}.Source()), c.Object(op.Result(0)), exec.Groups(op.Attr(ReassociationAttr))
	return func(f *exec.Frame) error {
		m, err := f.O[src].(*exec.MemRef).Collapse(op, groups)
		f.O[d] = m
		return err
	}, nil
}

func executeReshape(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	src, sizes, d := c.Object(ReshapeOp{op}.Source()), c.Object(ReshapeOp{op}.Shape()), c.Object(op.Result(0))
	t := memrefOf(op.Result(0).Type())
	return func(f *exec.Frame) error {
		shape, err := exec.ReadIntegers(op, f.O[sizes].(*exec.MemRef))
		if err != nil {
			return err
		}
		if err := exec.CheckNotNegative(op, shape); err != nil {
			return err
		}
		out := *f.O[src].(*exec.MemRef)
		n := out.Elements()
		out.Sizes, out.Strides = shape, exec.RowMajor(shape)
		if out.Elements() != n {
			return exec.Findf(exec.SizeMismatch, op, "%d elements are reshaped to %d", n, out.Elements())
		}
		if t != nil {
			if err := out.FitsType(op, t); err != nil {
				return err
			}
		}
		f.O[d] = &out
		return nil
	}, nil
}

func executeView(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	o := ViewOp{op}
	sizes, e := c.Shape(o.Type().Shape, o.Sizes()), exec.ElemOf(o.Type().Elem)
	arena := IsArena(o.Source())
	// The parts of an arena aren't read through each other, so that their elements needn't be bytes.
	if e.Size == 0 && !arena {
		return nil, exec.Unsupported(op, "its element type is not supported")
	}
	bytes, alignment := e.Size, e.Size
	if e.Size == 0 {
		bytes, alignment = e.Bytes, ir.StorageAlignment(e.Type)
	}
	src, shift, d := c.Object(o.Source()), c.Word(o.ByteShift()), c.Object(op.Result(0))
	return func(f *exec.Frame) error {
		m := f.O[src].(*exec.MemRef)
		n := sizes(f)
		if err := exec.CheckNotNegative(op, n); err != nil {
			return err
		}
		start := m.Shift + m.Offset + int64(f.W[shift])
		out := &exec.MemRef{Alloc: m.Alloc, Elem: e, Shift: start, Sizes: n, Strides: exec.RowMajor(n)}
		if start%alignment != 0 {
			return exec.Findf(exec.Undefined, op, "a view of elements of %d bytes starts at byte %d, which is not aligned", bytes, start)
		}
		if s := int64(f.W[shift]); s < 0 || s+out.Elements()*bytes > m.Sizes[0] {
			return exec.Findf(exec.OutOfBounds, op, "a view of %d bytes at byte %d reaches beyond a buffer of %d bytes", out.Elements()*bytes, s, m.Sizes[0])
		}
		if arena {
			out.Alloc = m.Alloc.Part(f, op, start, out.Elements(), e, o.Type())
		}
		if e.Size == 0 {
			out.Shift = 0
		}
		f.O[d] = out
		return nil
	}, nil
}

func executeTranspose(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	src, d := c.Object(TransposeOp{op}.Source()), c.Object(op.Result(0))
	perm, _ := op.Attr("permutation").(*ir.AffineMapAttr)
	return func(f *exec.Frame) error {
		m := f.O[src].(*exec.MemRef)
		out := *m
		out.Sizes, out.Strides = make([]int64, len(m.Sizes)), make([]int64, len(m.Sizes))
		for i, e := range perm.Map.Results {
			out.Sizes[i], out.Strides[i] = m.Sizes[e.Value], m.Strides[e.Value]
		}
		f.O[d] = &out
		return nil
	}, nil
}

func executeGetGlobal(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	ref, _ := op.Attr("name").(*ir.SymbolRefAttr)
	global := ir.LookupSymbol(op, ref)
	if global == nil {
		return nil, op.Errorf("refers to @%s, which is not defined", ref.Leaf())
	}
	t := memrefOf(op.Result(0).Type())
	strides, offset := layoutOf(t)
	if offset != 0 || !ir.IsStaticShape(t.Shape) {
		return nil, exec.Unsupported(op, "its layout is not supported")
	}
	e, d := exec.ElemOf(t.Elem), c.Object(op.Result(0))
	find := c.Global(global, t, global.Attr(InitialValueAttr), global.Attr(ConstantAttr) != nil)
	return func(f *exec.Frame) error {
		a, err := find(f)
		if err != nil {
			return err
		}
		f.O[d] = &exec.MemRef{Alloc: a, Elem: e, Sizes: t.Shape, Strides: strides(t.Shape)}
		return nil
	}, nil
}

// executeAtomic loads the element, combines it and stores it; nothing else runs
// meanwhile.
func executeAtomic(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	o := AtomicRMWOp{op}
	t := o.Value().Type()
	combine, ok := CombineWords(o.Kind(), t)
	if !ok || !exec.IsWord(t) {
		return nil, exec.Unsupported(op, "its kind is not supported for the type")
	}
	idx := c.Words(o.Indices())
	load := c.Load(op, o.MemRef(), op.Result(0), idx)
	store := c.StoreWord(op, t, o.MemRef(), idx)
	v, old := c.Word(o.Value()), c.Word(op.Result(0))
	if o.Kind() != "assign" {
		load = c.Defined(op, op.Result(0), load)
	}
	return func(f *exec.Frame) error {
		if err := load(f); err != nil {
			return err
		}
		return store(f, combine(f.W[v], f.W[old]))
	}, nil
}

// CombineWords returns the function that a kind of atomic operation applies to a value
// and the old element, both words of type t, and whether there is one.
func CombineWords(kind string, t ir.Type) (func(v, old uint64) uint64, bool) {
	if kind == "assign" {
		return func(v, _ uint64) uint64 { return v }, true
	}
	ft, isFloat := t.(*ir.FloatType)
	var s exec.Scalar
	if isFloat {
		switch kind {
		case "addf":
			s = exec.FAdd(ft)
		case "mulf":
			s = exec.FMul(ft)
		case "maximumf":
			s = exec.FMaximum(ft)
		case "minimumf":
			s = exec.FMinimum(ft)
		case "maxnumf":
			s = exec.FMaxNum(ft)
		case "minnumf":
			s = exec.FMinNum(ft)
		}
	} else {
		w := exec.Width(t)
		switch kind {
		case "addi":
			s = exec.Add(w)
		case "muli":
			s = exec.Mul(w)
		case "maxs":
			s = exec.MaxS(w)
		case "maxu":
			s = exec.MaxU(w)
		case "mins":
			s = exec.MinS(w)
		case "minu":
			s = exec.MinU(w)
		case "ori":
			s = exec.Or(w)
		case "andi":
			s = exec.And(w)
		case "xori":
			s = exec.Xor(w)
		}
	}
	return s.F2, s.F2 != nil
}

// executeGenericAtomic is executeAtomic with a region, whose result is that of the
// operation, too.
func executeGenericAtomic(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	body := op.BodyBlock(0)
	if body == nil || len(body.Args()) != 1 {
		return nil, exec.Unsupported(op, "its structure is not supported")
	}
	idx, value := c.Words(op.OperandGroup(1)), c.Regs(op.Results().Values())
	load := c.Defined(op, op.Result(0), c.Load(op, GenericAtomicRMWOp{op}.MemRef(), op.Result(0), idx))
	enter := c.MoveRegs(value, c.Regs(body.Args()))
	code, err := c.Region(op.RegionAt(0), value)
	if err != nil {
		return nil, err
	}
	return exec.Sequence(load, enter, code.Run, c.Store(op, op.Result(0), GenericAtomicRMWOp{op}.MemRef(), idx)), nil
}
