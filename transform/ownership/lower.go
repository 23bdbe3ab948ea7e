package ownership

import (
	"freehold/dialect/arith"
	"freehold/dialect/bufferization"
	funcd "freehold/dialect/func"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/internal/parallel"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// Lower replaces every bufferization.dealloc in root, which may be a module or a
// function, by memref.dealloc under conditions: the pass
// bufferization-lower-deallocations. What needs run-time checks of several buffers
// against each other calls a function that is added to the module once; in a
// function alone, that is an error. As in MLIR's pass, operations of dialects other
// than those that it produces are folded on the way. Functions are lowered on the
// given number of threads (0: as many as there are processors).
func Lower(root *ir.Op, threads int) error {
	parts := isolatedIn(root)
	deallocs, others := make([][]*ir.Op, len(parts)), make([][]*ir.Op, len(parts))
	parallel.For(len(parts), threads, func() func(int) {
		return func(i int) { deallocs[i], others[i] = toLower(parts[i]) }
	})
	helper, err := needHelper(root, deallocs)
	if err != nil {
		return err
	}
	parallel.For(len(parts), threads, func() func(int) {
		l := &lowering{ir.NewBuilder(root.Context()), helper}
		return func(i int) {
			for _, op := range others[i] {
				l.fold(op)
			}
			for _, op := range deallocs[i] {
				l.lower(op)
			}
		}
	})
	return nil
}

// isolatedIn lists the operations of a module's body that have regions, if all of
// those are isolated; else it lists root itself.
func isolatedIn(root *ir.Op) []*ir.Op {
	body := root.BodyBlock(0)
	if !root.Has(ir.TraitSymbolTable) || body == nil {
		return []*ir.Op{root}
	}
	var out []*ir.Op
	for op := body.First(); op != nil; op = op.Next() {
		switch {
		case op.NumRegions() > 0 && op.Has(ir.TraitIsolatedFromAbove):
			out = append(out, op)
		case op.NumRegions() > 0 || op.Is(bufferization.Dealloc):
			return []*ir.Op{root}
		}
	}
	return out
}

// toLower lists the deallocations in root, and the operations that may fold.
func toLower(root *ir.Op) (deallocs, others []*ir.Op) {
	root.Walk(func(op *ir.Op) bool {
		switch {
		case op.Is(bufferization.Dealloc):
			deallocs = append(deallocs, op)
		case !produced(op) && !op.Has(ir.TraitConstantLike):
			others = append(others, op)
		}
		return true
	})
	return deallocs, others
}

// produced tells whether an operation is of a dialect that lowering produces.
func produced(op *ir.Op) bool {
	switch op.Dialect() {
	case arith.Dialect, memref.Dialect, scf.Dialect, funcd.Dialect:
		return true
	}
	return false
}

// fold folds an operation, if that needs no constants of other dialects.
func (l *lowering) fold(op *ir.Op) {
	for {
		results, changed := rewrite.Fold(op)
		if len(results) == 0 {
			if changed {
				continue
			}
			return
		}
		l.b.SetBefore(op)
		values := rewrite.Materialize(l.b, op, results)
		for i, v := range values {
			if results[i].Value == nil && !produced(v.DefiningOp()) {
				l.eraseConstants(results, values)
				return
			}
		}
		if values == nil {
			return
		}
		for i, v := range values {
			op.Result(i).ReplaceAllUsesWith(v)
		}
		op.Erase()
		return
	}
}

func (l *lowering) eraseConstants(results []ir.FoldResult, values []*ir.Value) {
	for i, v := range values {
		if results[i].Value == nil {
			v.DefiningOp().Erase()
		}
	}
}

type lowering struct {
	b      *ir.Builder
	helper string // name of the helper function, if anything needs it
}

func (l *lowering) lower(op *ir.Op) {
	d := dealloc(op)
	l.b.SetBefore(op)
	l.b.Loc = op.Loc()
	switch {
	case len(d.MemRefs()) == 0:
		if op.NumResults() > 0 {
			no := arith.ConstantBool(l.b, false)
			for i := range op.NumResults() {
				op.Result(i).ReplaceAllUsesWith(no)
			}
		}
	case len(d.MemRefs()) == 1 && len(d.Retained()) == 0:
		l.free(d.Conditions().At(0), d.MemRefs().At(0))
	case len(d.MemRefs()) == 1:
		l.lowerOne(d)
	default:
		l.lowerGeneral(d)
	}
	op.Erase()
}

func (l *lowering) free(condition, m *ir.Value) {
	scf.NewIf(l.b, condition, nil, func(b *ir.Builder) []*ir.Value {
		memref.NewDealloc(b, m)
		return nil
	}, nil)
}

func (l *lowering) address(v *ir.Value) *ir.Value {
	return memref.NewExtractAlignedPointerAsIndex(l.b, v)
}

// lowerOne frees a buffer unless it is one of those retained.
func (l *lowering) lowerOne(d bufferization.DeallocOp) {
	m, condition := d.MemRefs().At(0), d.Conditions().At(0)
	p := l.address(m)
	differs := make([]*ir.Value, len(d.Retained()))
	var none *ir.Value
	for i, r := range d.Retained().Values() {
		differs[i] = arith.NewCmpI(l.b, arith.NE, p, l.address(r))
		if none == nil {
			none = differs[i]
		} else {
			none = arith.New(l.b, arith.AndI, none, differs[i])
		}
	}
	l.free(arith.New(l.b, arith.AndI, none, condition), m)
	yes := arith.ConstantBool(l.b, true)
	for i, x := range differs {
		same := arith.New(l.b, arith.XOrI, x, yes)
		d.Result(i).ReplaceAllUsesWith(arith.New(l.b, arith.AndI, same, condition))
	}
}

// lowerGeneral passes addresses and conditions to the helper function, which
// decides what to free and who owns what is retained.
func (l *lowering) lowerGeneral(d bufferization.DeallocOp) {
	c := l.b.Context()
	list := func(n int, elem ir.Type) *ir.Value {
		return memref.NewAlloc(l.b, c.MemRef([]int64{int64(n)}, elem), nil, 0)
	}
	dynamic := func(v *ir.Value) *ir.Value {
		elem := ir.ElementType(v.Type())
		return memref.NewCast(l.b, c.MemRef([]int64{ir.Dynamic}, elem), v)
	}
	store := func(v, into *ir.Value, i int) {
		memref.NewStore(l.b, v, into, arith.ConstantIndex(l.b, int64(i)))
	}
	nm, nr := len(d.MemRefs()), len(d.Retained())
	addresses, conditions, retained := list(nm, ir.Index), list(nm, ir.I1), list(nr, ir.Index)
	for i, m := range d.MemRefs().Values() {
		store(l.address(m), addresses, i)
	}
	for i, x := range d.Conditions().Values() {
		store(x, conditions, i)
	}
	for i, r := range d.Retained().Values() {
		store(l.address(r), retained, i)
	}
	da, dc, dr := dynamic(addresses), dynamic(conditions), dynamic(retained)
	free, owned := list(nm, ir.I1), list(nr, ir.I1)
	df, do := dynamic(free), dynamic(owned)
	funcd.NewCall(l.b, l.helper, nil, da, dr, dc, df, do)
	for i, m := range d.MemRefs().Values() {
		l.free(memref.NewLoad(l.b, free, arith.ConstantIndex(l.b, int64(i))), m)
	}
	for i := range nr {
		d.Result(i).ReplaceAllUsesWith(memref.NewLoad(l.b, owned, arith.ConstantIndex(l.b, int64(i))))
	}
	for _, v := range []*ir.Value{addresses, retained, conditions, free, owned} {
		memref.NewDealloc(l.b, v)
	}
}

// needHelper adds the helper function to the module, if there is anything that
// has to call it, and returns its name.
func needHelper(root *ir.Op, deallocs [][]*ir.Op) (name string, err error) {
	for _, list := range deallocs {
		for _, op := range list {
			if len(dealloc(op).MemRefs()) < 2 {
				continue
			}
			if !root.Has(ir.TraitSymbolTable) {
				return "", ir.Diagnostics{
					op.PlainErrorf("library function required for generic lowering, but cannot be automatically inserted when operating on functions"),
					op.PlainErrorf("failed to legalize operation '%s' that was explicitly marked illegal", op.Name()),
				}
			}
			return ir.NewSymbolTable(root).Insert(buildHelper(root.Context(), root.Loc()), nil), nil
		}
	}
	return "", nil
}

// buildHelper makes the function that decides for lists of addresses. Its
// arguments are the addresses of the buffers to free and to retain, the conditions,
// and, as results, which ones to free, and which of the retained ones are owned. A
// buffer is freed if its condition holds, it is not retained, and none before it in
// the list is the same.
func buildHelper(c *ir.Context, loc ir.Location) *ir.Op {
	indices, bools := c.MemRef([]int64{ir.Dynamic}, ir.Index), c.MemRef([]int64{ir.Dynamic}, ir.I1)
	b := ir.NewBuilder(c)
	b.Loc = loc
	fn := funcd.New(b, "dealloc_helper", c.Function([]ir.Type{indices, indices, bools, bools, bools}, nil))
	fn.SetAttr(ir.SymbolVisibilityAttr, c.StringAttr("private"))
	body := fn.RegionAt(0).Entry()
	if body == nil {
		body = fn.RegionAt(0).AddBlock(indices, indices, bools, bools, bools)
	}
	b.SetEnd(body)
	toFree, toRetain, conditions, freeOut, ownedOut := body.Arg(0), body.Arg(1), body.Arg(2), body.Arg(3), body.Arg(4)
	zero, one := arith.ConstantIndex(b, 0), arith.ConstantIndex(b, 1)
	yes, no := arith.ConstantBool(b, true), arith.ConstantBool(b, false)
	numFree, numRetain := dim(b, toFree, zero), dim(b, toRetain, zero)
	scf.NewFor(b, zero, numRetain, one, nil, func(b *ir.Builder, i *ir.Value, _ []*ir.Value) []*ir.Value {
		memref.NewStore(b, no, ownedOut, i)
		return nil
	})
	scf.NewFor(b, zero, numFree, one, nil, func(b *ir.Builder, i *ir.Value, _ []*ir.Value) []*ir.Value {
		address, condition := memref.NewLoad(b, toFree, i), memref.NewLoad(b, conditions, i)
		notRetained := scf.NewFor(b, zero, numRetain, one, []*ir.Value{yes}, func(b *ir.Builder, j *ir.Value, acc []*ir.Value) []*ir.Value {
			other := memref.NewLoad(b, toRetain, j)
			scf.NewIf(b, arith.NewCmpI(b, arith.EQ, other, address), nil, func(b *ir.Builder) []*ir.Value {
				owned := memref.NewLoad(b, ownedOut, j)
				memref.NewStore(b, arith.New(b, arith.OrI, owned, condition), ownedOut, j)
				return nil
			}, nil)
			return []*ir.Value{arith.New(b, arith.AndI, acc[0], arith.NewCmpI(b, arith.NE, other, address))}
		}).Result(0)
		first := scf.NewFor(b, zero, i, one, []*ir.Value{notRetained}, func(b *ir.Builder, j *ir.Value, acc []*ir.Value) []*ir.Value {
			other := memref.NewLoad(b, toFree, j)
			return []*ir.Value{arith.New(b, arith.AndI, acc[0], arith.NewCmpI(b, arith.NE, other, address))}
		}).Result(0)
		memref.NewStore(b, arith.New(b, arith.AndI, first, condition), freeOut, i)
		return nil
	})
	funcd.NewReturn(b)
	return fn
}

func dim(b *ir.Builder, v, index *ir.Value) *ir.Value {
	return b.CreateOp(memref.Dim, []ir.Type{ir.Index}, []*ir.Value{v, index}).Result(0)
}
