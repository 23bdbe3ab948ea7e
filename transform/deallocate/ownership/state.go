package ownership

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/bufferization"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// deallocation is the state of the pass in one function.
type deallocation struct {
	opts     Options
	b        *ir.Builder
	liveness *analysis.Liveness
	// ownership of values in blocks. Most values have it in one block: that is kept by
	// the number of the value, and the rest in a map.
	values    ir.Numbering
	ownership []ownedIn
	elsewhere map[valueIn]interfaces.Ownership
	// free lists, for each block, the buffers that it may have to free, in the order
	// in which it got to know them.
	free  map[*ir.Block][]*ir.Value
	names map[*ir.Block]*freeNames // for some blocks
	// order numbers blocks as they are in the program, for sorting.
	order  map[*ir.Block]int
	module *module
	// inherits maps each block on a split edge to the block before it, whose buffers it
	// frees.
	inherits map[*ir.Block]*ir.Block
	// renamed maps results of operations that were replaced, which liveness still
	// speaks of, to those of their replacements.
	renamed map[*ir.Value]*ir.Value
	// buffers is what is known about buffers, if the options need it; originals maps
	// values that the pass made in the place of others to these, which it speaks of.
	buffers   *analysis.Buffers
	originals map[*ir.Value]*ir.Value
	// lent are buffers that their blocks don't own by these names, but may by others: what calls return of their arguments.
	lent map[*ir.Value]bool
	// unneeded lists arguments that their calls can take; see unneededArguments.
	unneeded map[*ir.Op]map[*ir.Value]bool
}

// ownedIn is the ownership of a value in a block; none if block is nil.
type ownedIn struct {
	block     *ir.Block
	ownership interfaces.Ownership
}

type valueIn struct {
	value *ir.Value
	block *ir.Block
}

// newDeallocation returns a state that can be used for one function after another.
func newDeallocation(o Options, b *ir.Builder, m *module) *deallocation {
	return &deallocation{opts: o, b: b, module: m}
}

// enter makes d the state for a function. It keeps memory of the last one.
func (d *deallocation) enter(fn *ir.Op) {
	d.liveness = analysis.NewLiveness(fn)
	d.values.Reset()
	d.ownership = d.ownership[:0]
	d.elsewhere, d.free, d.names, d.order = emptied(d.elsewhere), emptied(d.free), emptied(d.names), emptied(d.order)
	d.renamed, d.originals, d.lent = emptied(d.renamed), emptied(d.originals), emptied(d.lent)
	if d.opts.PrivateFunctionArgumentOwnership || d.opts.LoopArgumentOwnership || d.opts.BranchOwnership {
		// With dynamic ownership, results may be arguments.
		d.buffers = analysis.NewBuffers(fn, analysis.BufferOptions{Boundary: !d.opts.PrivateFunctionDynamicOwnership, Calls: d.module.summaries})
	}
	if d.opts.PrivateFunctionArgumentOwnership {
		d.unneeded = d.unneededArguments(fn)
	}
}

// emptied returns an empty map: m, unless that got so large that clearing it for each of
// many small functions would take long.
func emptied[K comparable, V any](m map[K]V) map[K]V {
	if m == nil || len(m) > 256 {
		return map[K]V{}
	}
	clear(m)
	return m
}

func (d *deallocation) Builder() *ir.Builder { return d.b }

func (d *deallocation) Ownership(v *ir.Value, b *ir.Block) interfaces.Ownership {
	if i := d.values.Value(v); i >= 0 && d.ownership[i].block == b {
		return d.ownership[i].ownership
	}
	return d.elsewhere[valueIn{v, b}]
}

func (d *deallocation) Join(v *ir.Value, b *ir.Block, o interfaces.Ownership) {
	i, added := d.values.AddValue(v)
	if added {
		d.ownership = append(d.ownership, ownedIn{block: b})
	}
	if at := &d.ownership[i]; at.block == b {
		at.ownership = at.ownership.Join(o)
		return
	}
	k := valueIn{v, b}
	d.elsewhere[k] = d.elsewhere[k].Join(o)
}

func (d *deallocation) Reset(v *ir.Value, b *ir.Block) {
	if i := d.values.Value(v); i >= 0 && d.ownership[i].block == b {
		d.ownership[i].ownership = interfaces.Ownership{}
		return
	}
	delete(d.elsewhere, valueIn{v, b})
}

// own joins the ownership that the indicator says with that of the block in which
// v is defined.
func (d *deallocation) own(v, indicator *ir.Value) {
	d.Join(v, v.ParentBlock(), interfaces.UniqueOwnership(indicator))
}

func (d *deallocation) bool(loc ir.Location, v bool) *ir.Value {
	d.b.Loc = loc
	return arith.ConstantBool(d.b, v)
}

func (d *deallocation) Indicator(v *ir.Value, b *ir.Block) *ir.Value {
	if o := d.Ownership(v, b); o.State == interfaces.Unique {
		return o.Indicator
	}
	if !d.opts.ExclusiveOwnership || v.ParentBlock() != b || v.IsBlockArg() {
		return nil // MLIR's pass looks no further
	}
	if m, ok := interfaces.ViewLike.Of(v.DefiningOp()); ok {
		return d.Indicator(m(v.DefiningOp()), b)
	}
	return d.materialized(v, b)
}

// materialized returns the ownership of v that the operation defining it computes at
// run time, or nil.
func (d *deallocation) materialized(v *ir.Value, b *ir.Block) *ir.Value {
	if def := v.DefiningOp(); def != nil && def.Block() == b {
		if m, ok := interfaces.BufferDeallocation.Of(def); ok {
			if m, ok := m.(interfaces.OwnershipMaterializer); ok {
				return m.Materialize(def, d)
			}
		}
	}
	return nil
}

// unique returns a buffer with the contents of v and its ownership as a value. If
// the ownership of v is unknown that is a copy.
func (d *deallocation) unique(v *ir.Value, b *ir.Block) (buffer, owned *ir.Value) {
	if owned := d.materialized(v, b); owned != nil {
		return v, owned
	}
	if owned := d.Indicator(v, b); owned != nil {
		return v, owned
	}
	d.b.Loc = v.Loc()
	c := bufferization.NewClone(d.b, v)
	owned = d.bool(v.Loc(), true)
	d.own(c, owned)
	d.mayFree(c, c.ParentBlock())
	return c, owned
}

func (d *deallocation) ToDeallocate(b *ir.Block, loc ir.Location) (memrefs, conditions []*ir.Value, err error) {
	d.b.Loc = loc
	for _, v := range d.free[b] {
		o := d.Ownership(v, b)
		if o.State != interfaces.Unique {
			return nil, nil, ir.Errorf(v.Loc(), "MemRef value does not have valid ownership")
		}
		if d.opts.ExclusiveOwnership && ir.IsConstantBool(o.Indicator, false) {
			continue
		}
		// bufferization.dealloc wants what was allocated, not a view of it.
		if _, unranked := v.Type().(*ir.UnrankedMemRefType); unranked {
			v = memref.NewReinterpretCast(d.b, pointType(d.b.Context(), v.Type()), v, shapes.Slice{Offsets: []shapes.OpFoldResult{shapes.ConstSize(0)}})
		}
		// No view has another layout than one of strides.
		if memref.IsStrided(v.Type()) {
			v = memref.NewExtractStridedMetadata(d.b, v).BaseBuffer()
		}
		memrefs = append(memrefs, v)
		conditions = append(conditions, o.Indicator)
	}
	return memrefs, conditions, nil
}

// pointLayoutSince is the first version of LLVM that writes a layout for the view without dimensions of a buffer of any rank.
const pointLayoutSince = 22

// pointType is the type of that view, nil if it follows from the view's layout.
func pointType(c *ir.Context, buffer ir.Type) *ir.MemRefType {
	if c.LLVM() >= pointLayoutSince {
		return nil
	}
	return c.MemRefOf(nil, ir.ElementType(buffer), nil, ir.MemorySpaceOf(buffer))
}

func (d *deallocation) ToRetain(from, to *ir.Block, operands []*ir.Value) []*ir.Value {
	var retain []*ir.Value
	for _, v := range operands {
		if isMemRef(v) {
			retain = append(retain, v)
		}
	}
	var live []*ir.Value
	for _, v := range d.liveness.LiveOut(from) {
		if isMemRef(v) && (to == nil || d.liveness.IsLiveIn(v, to)) {
			live = append(live, d.current(v))
		}
	}
	d.sort(live)
	return append(retain, live...)
}

func (d *deallocation) Dealloc(b *ir.Block, loc ir.Location, memrefs, conditions, retain []*ir.Value) []*ir.Value {
	d.b.Loc = loc
	updated := d.updated(b, memrefs, conditions, retain)
	for _, v := range retain {
		d.Reset(v, b)
	}
	for i, v := range retain {
		// A buffer that is passed on and is live as well is retained twice, with the
		// same ownership; MLIR's pass rejects that.
		if d.Ownership(v, b).State == interfaces.Uninitialized {
			d.Join(v, b, interfaces.UniqueOwnership(updated[i]))
		}
	}
	return updated
}

// updated creates bufferization.dealloc and returns the ownerships of what it
// retains.
func (d *deallocation) updated(b *ir.Block, memrefs, conditions, retain []*ir.Value) []*ir.Value {
	if !d.opts.ExclusiveOwnership {
		return bufferization.NewDealloc(d.b, memrefs, conditions, retain).Results().Values()
	}
	// What the block certainly doesn't own is the caller's, say, or belongs to the
	// block around: nothing that it owns is the same, unless a call has returned what it was given.
	var maybe, out []*ir.Value
	for _, v := range retain {
		if o := d.Ownership(v, b); o.State != interfaces.Unique || !ir.IsConstantBool(o.Indicator, false) || d.lent[v] {
			maybe = append(maybe, v)
		}
	}
	for _, s := range d.distinctOwners(b, memrefs, conditions) {
		owned := bufferization.NewDealloc(d.b, s.memrefs, s.conditions, maybe).Results().Values()
		for i, o := range owned {
			if len(out) < len(owned) {
				out = append(out, o)
			} else {
				out[i] = arith.New(d.b, arith.OrI, out[i], o)
			}
		}
	}
	updated := make([]*ir.Value, len(retain))
	next := 0
	var no *ir.Value
	for i, v := range retain {
		if len(out) > next && maybe[next] == v {
			updated[i] = out[next]
			next++
			continue
		}
		if no == nil {
			no = arith.ConstantBool(d.b, false)
		}
		updated[i] = no
	}
	return updated
}

// owners are buffers, and whether they are owned.
type owners struct{ memrefs, conditions []*ir.Value }

// distinctOwners divides buffers so that those of different parts are never the same if both are
// owned: each is a part that has only this owner.
func (d *deallocation) distinctOwners(b *ir.Block, memrefs, conditions []*ir.Value) []owners {
	var parts []owners
	var rest owners
	for i, c := range conditions {
		if d.isOnlyOwner(b, analysis.ViewBase(memrefs[i]), c) {
			parts = append(parts, owners{memrefs[i : i+1], conditions[i : i+1]})
		} else {
			rest.memrefs, rest.conditions = append(rest.memrefs, memrefs[i]), append(rest.conditions, c)
		}
	}
	if len(rest.memrefs) > 0 {
		parts = append(parts, rest)
	}
	return parts
}

// isOnlyOwner tells whether no other buffer that the block owns is v, if it owns that by a condition: an argument
// of the function that tells so, as callers give a buffer to one argument only, or as it is what a call has allocated.
func (d *deallocation) isOnlyOwner(b *ir.Block, v, condition *ir.Value) bool {
	if v.IsBlockArg() {
		return b.IsEntry() && v.ParentBlock() == b && condition.IsBlockArg() && condition.ParentBlock() == b && interfaces.Function.Has(b.ParentOp())
	}
	return v.ParentBlock() == b && ir.IsConstantBool(condition, true) && d.module.summaries.Fresh(v.DefiningOp(), v.Index())
}

func (d *deallocation) DeallocBeforeReturn(op *ir.Op, operands []*ir.Value) ([]*ir.Value, error) {
	b := op.Block()
	memrefs, conditions, err := d.ToDeallocate(b, op.Loc())
	if err != nil {
		return nil, err
	}
	retain := d.ToRetain(b, nil, operands)
	if len(memrefs) == 0 && len(retain) == 0 {
		return nil, nil
	}
	return d.Dealloc(b, op.Loc(), memrefs, conditions, retain)[:countMemRefs(operands)], nil
}

// liveMemRefs lists the buffers that are live into the block, in program order.
func (d *deallocation) liveMemRefs(b *ir.Block) []*ir.Value {
	var live []*ir.Value
	for _, v := range d.liveness.LiveIn(b) {
		if isMemRef(v) {
			live = append(live, d.current(v))
		}
	}
	d.sort(live)
	return live
}

// current returns the value that v was replaced by, or v.
func (d *deallocation) current(v *ir.Value) *ir.Value {
	if w, ok := d.renamed[v]; ok {
		return w
	}
	return v
}

// original returns what the analyses know a value as.
func (d *deallocation) original(v *ir.Value) *ir.Value {
	if w, ok := d.originals[v]; ok {
		return w
	}
	return v
}

// sort orders values: block arguments first, by number, then results in the order
// of the program, outer regions before inner ones.
func (d *deallocation) sort(vs []*ir.Value) {
	slices.SortFunc(vs, func(v, w *ir.Value) int {
		switch {
		case v == w:
			return 0
		case d.less(v, w):
			return -1
		}
		return 1
	})
}

func (d *deallocation) less(v, w *ir.Value) bool {
	if v.IsBlockArg() != w.IsBlockArg() {
		return v.IsBlockArg()
	}
	if v.IsBlockArg() && v.Index() != w.Index() {
		return v.Index() < w.Index()
	}
	if v.DefiningOp() != nil && v.DefiningOp() == w.DefiningOp() {
		return v.Index() < w.Index()
	}
	rv, rw := v.ParentRegion(), w.ParentRegion()
	if rv == rw {
		bv, bw := v.ParentBlock(), w.ParentBlock()
		if bv == bw {
			return v.DefiningOp().IsBefore(w.DefiningOp())
		}
		return d.blockNumber(bv) < d.blockNumber(bw)
	}
	if rv.IsAncestorOf(rw) {
		return true
	}
	if rw.IsAncestorOf(rv) {
		return false
	}
	// Compare the operations, or blocks, that hold the two in the innermost region
	// around both.
	common := rv
	for !common.IsAncestorOf(rw) {
		common = common.Op().Region()
	}
	x, y := common.AncestorIn(rv.Op()), common.AncestorIn(rw.Op())
	if x == y {
		return rv.Index() < rw.Index()
	}
	if x.Block() == y.Block() {
		return x.IsBefore(y)
	}
	return d.blockNumber(x.Block()) < d.blockNumber(y.Block())
}

func (d *deallocation) blockNumber(b *ir.Block) int {
	if n, ok := d.order[b]; ok {
		return n
	}
	i := 0
	for x := range b.Region().Blocks() {
		d.order[x] = i
		i++
	}
	return d.order[b]
}
