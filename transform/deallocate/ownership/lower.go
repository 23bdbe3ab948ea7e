package ownership

import (
	"errors"
	"sync/atomic"

	"freehold/dialect/arith"
	"freehold/dialect/bufferization"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/conversion"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// lowerer replaces bufferization.dealloc by memref.dealloc under conditions, in one
// operation after another. As in MLIR's pass, operations of dialects other than those that
// it produces are folded on the way.
type lowerer struct {
	partial
	helper *helper
	freers freers
}

func newLowerer(c *ir.Context, a *ir.Arena) *lowerer {
	l := &lowerer{}
	target := conversion.NewTarget()
	target.LegalDialects("arith", "memref", "scf", "func")
	target.DynamicOthers(Frees)
	target.Illegal(bufferization.Dealloc)
	l.partial.init(c, a, target, lowerDealloc(func() string { return l.helper.name }, func() freers { return l.freers }))
	return l
}

// lower lowers deallocation in op and tells whether that changed anything.
func (l *lowerer) lower(op *ir.Op, h *helper) (changed bool, err error) {
	if err := CheckAddresses(op); err != nil {
		return false, err
	}
	f, err := findFreers(op)
	if err != nil {
		return false, err
	}
	l.helper, l.freers = h, f
	h.look(op)
	return l.convert(op)
}

// partial makes operations legal, one after another.
type partial struct {
	converter *conversion.Converter
	reported  ir.Diagnostics
}

func (p *partial) init(c *ir.Context, a *ir.Arena, target *conversion.Target, patterns ...rewrite.Pattern) {
	p.converter = conversion.NewConverter(c, target, rewrite.NewPatternSet(c, patterns),
		conversion.Config{Arena: a, Report: func(d *ir.Diagnostic) { p.reported = append(p.reported, d) }})
}

// convert makes the operations in op legal and tells whether that changed anything.
func (p *partial) convert(op *ir.Op) (changed bool, err error) {
	p.reported = nil
	changed, err = p.converter.Partial(op)
	var d *ir.Diagnostic
	if errors.As(err, &d) {
		p.reported = append(p.reported, d)
	}
	if p.reported != nil {
		return changed, p.reported
	}
	return changed, nil
}

// DeallocPatterns returns what lowers each bufferization.dealloc in root, and adds the
// function that it may call to root, which may be a module or a function.
func DeallocPatterns(root *ir.Op) ([]rewrite.Pattern, error) {
	f, err := findFreers(root)
	if err != nil {
		return nil, err
	}
	h := newHelper(root, false)
	h.look(root)
	h.add()
	return []rewrite.Pattern{lowerDealloc(func() string { return h.name }, func() freers { return f })}, nil
}

// Frees tells a conversion with [DeallocPatterns] that the operations are legal that free buffers, of whatever dialect.
func Frees(op *ir.Op) conversion.Legality {
	if interfaces.AccessesOperands.Has(op) {
		return conversion.Unknown
	}
	effects, _ := interfaces.EffectsOf(op)
	for _, e := range effects {
		if e.Kind == interfaces.Free && e.IsOnOperand() {
			return conversion.Legal
		}
	}
	return conversion.Unknown
}

// freers are, for each bufferization.dealloc, the allocations of its buffers that other operations than memref.dealloc
// free; nil for the others.
type freers map[*ir.Op][]*ir.Op

// findFreers finds those for what is in root.
func findFreers(root *ir.Op) (freers, error) {
	known := analysis.NewFreers(root)
	if known == nil {
		return nil, nil
	}
	f := freers{}
	var err error
	root.Walk(func(op *ir.Op) bool {
		if op.Is(bufferization.Dealloc) {
			for _, v := range dealloc(op).MemRefs().Values() {
				alloc, e := known.Of(v)
				if e != nil && err == nil {
					err = e
				}
				f[op] = append(f[op], alloc)
			}
		}
		return err == nil
	})
	return f, err
}

// lowerDealloc returns the pattern that lowers bufferization.dealloc; helper returns the
// name of the function to call, if there is one, and freers what is freed in other ways.
func lowerDealloc(helper func() string, freers func() freers) rewrite.Pattern {
	return rewrite.Pattern{Name: "DeallocOpConversion", Root: bufferization.Dealloc, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
		l := &lowering{r.Builder, helper(), freers()[op]}
		results, ok := l.lower(op)
		if !ok {
			if c := conversion.Of(r); c != nil {
				c.Report(op.PlainErrorf("library function required for generic lowering, but cannot be automatically inserted when operating on functions"))
			}
			return false
		}
		r.Replace(op, results...)
		return true
	}}
}

type lowering struct {
	b      *ir.Builder
	helper string // name of the helper function, if anything needs it
	freers []*ir.Op
}

// lower creates what does the same as a dealloc, and returns the values of its results.
// It returns false if there is no function to call that is needed.
func (l *lowering) lower(op *ir.Op) (results []*ir.Value, ok bool) {
	d := dealloc(op)
	switch n := len(d.MemRefs()); {
	case n == 0:
		no := arith.ConstantBool(l.b, false)
		for range op.NumResults() {
			results = append(results, no)
		}
	case n == 1 && len(d.Retained()) == 0:
		l.free(d.Conditions().At(0), d.MemRefs().At(0), 0)
	case n == 1:
		results = l.lowerOne(d)
	case l.helper == "":
		return nil, false
	default:
		results = l.lowerGeneral(d)
	}
	return results, true
}

// free frees buffer number i, which is m, under a condition.
func (l *lowering) free(condition, m *ir.Value, i int) {
	scf.NewIf(l.b, condition, nil, func(b *ir.Builder) []*ir.Value {
		if l.freers != nil && l.freers[i] != nil {
			by, _ := interfaces.FreedBy.Of(l.freers[i])
			by(b, m)
		} else {
			memref.NewDealloc(b, m)
		}
		return nil
	}, nil)
}

func (l *lowering) address(v *ir.Value) *ir.Value {
	return memref.NewExtractAlignedPointerAsIndex(l.b, v)
}

// lowerOne frees a buffer unless it is one of those retained.
func (l *lowering) lowerOne(d bufferization.DeallocOp) []*ir.Value {
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
	l.free(arith.New(l.b, arith.AndI, none, condition), m, 0)
	yes := arith.ConstantBool(l.b, true)
	owned := make([]*ir.Value, len(differs))
	for i, x := range differs {
		same := arith.New(l.b, arith.XOrI, x, yes)
		owned[i] = arith.New(l.b, arith.AndI, same, condition)
	}
	return owned
}

// lowerGeneral passes addresses and conditions to the helper function, which
// decides what to free and who owns what is retained.
func (l *lowering) lowerGeneral(d bufferization.DeallocOp) []*ir.Value {
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
		l.free(memref.NewLoad(l.b, free, arith.ConstantIndex(l.b, int64(i))), m, i)
	}
	results := make([]*ir.Value, nr)
	for i := range results {
		results[i] = memref.NewLoad(l.b, owned, arith.ConstantIndex(l.b, int64(i)))
	}
	for _, v := range []*ir.Value{addresses, retained, conditions, free, owned} {
		memref.NewDealloc(l.b, v)
	}
	return results
}

// helper is the function of a module that decides for lists of addresses. It is added
// if there is a dealloc that has to call it.
type helper struct {
	table  *ir.SymbolTable // of the module
	name   string          // "" if it can't be added
	needed atomic.Bool
	// anyCondition tells that buffers that are the same are freed if one of their
	// conditions holds, not only that of the first.
	anyCondition bool
}

// newHelper returns the helper for what is in root.
func newHelper(root *ir.Op, anyCondition bool) *helper {
	h := &helper{anyCondition: anyCondition}
	if root.Has(ir.TraitSymbolTable) {
		h.table = ir.NewSymbolTable(root)
		h.name = h.table.Unique("dealloc_helper")
	}
	return h
}

// look looks for deallocs in op that need the helper.
func (h *helper) look(op *ir.Op) {
	if h.name == "" || h.needed.Load() {
		return
	}
	op.Walk(func(op *ir.Op) bool {
		if op.Is(bufferization.Dealloc) && len(dealloc(op).MemRefs()) > 1 {
			h.needed.Store(true)
		}
		return !h.needed.Load()
	})
}

// add adds the function to the module if it is needed, and returns it, or nil.
func (h *helper) add() *ir.Op {
	if !h.needed.Load() {
		return nil
	}
	fn := h.build(h.table.Op().Context(), h.table.Op().Loc())
	h.table.Insert(fn, nil)
	return fn
}

// build makes the function that decides for lists of addresses. Its
// arguments are the addresses of the buffers to free and to retain, the conditions,
// and, as results, which ones to free, and which of the retained ones are owned. A
// buffer is freed if its condition holds, it is not retained, and none before it in
// the list is the same; or, for any condition, none that is freed.
func (h *helper) build(c *ir.Context, loc ir.Location) *ir.Op {
	indices, bools := c.MemRef([]int64{ir.Dynamic}, ir.Index), c.MemRef([]int64{ir.Dynamic}, ir.I1)
	b := ir.NewBuilder(c)
	b.Loc = loc
	fn := funcd.New(b, h.name, c.Function([]ir.Type{indices, indices, bools, bools, bools}, nil))
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
			another := arith.NewCmpI(b, arith.NE, other, address)
			if h.anyCondition {
				stays := arith.New(b, arith.XOrI, memref.NewLoad(b, conditions, j), yes)
				another = arith.New(b, arith.OrI, another, stays)
			}
			return []*ir.Value{arith.New(b, arith.AndI, acc[0], another)}
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
