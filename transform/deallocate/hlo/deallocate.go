package hlo

import (
	"cmp"
	"slices"

	"freehold/dialect/bufferization"
	"freehold/dialect/deallocation"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
	"freehold/transform/deallocate/ownership"
)

// DeallocateOptions are the options of the pass hlo-deallocate, beyond what MLIR-HLO's has.
type DeallocateOptions struct {
	// ReplaceDeallocs accepts programs that free buffers where no owner can be handed to: what they free is freed anew then, at the end of the block that owns it.
	ReplaceDeallocs bool
}

// Deallocate is the pass hlo-deallocate: it makes each block free, at its end, the
// allocations that it owns and doesn't hand on. Owners are values that are handed from
// block to block beside the buffers. Functions return an owner for each buffer, which
// is null for what is their caller's; they must have one block. Near-linear in the size
// of the module.
func Deallocate(module *ir.Op, o DeallocateOptions) error {
	if o.ReplaceDeallocs && frees(module) && deallocate(ir.CloneDetached(module)) != nil {
		if err := ownership.DropDeallocs(module); err != nil {
			return err
		}
	}
	return deallocate(module)
}

// frees tells whether something in op frees a buffer.
func frees(op *ir.Op) (found bool) {
	op.Walk(func(op *ir.Op) bool {
		found = found || ownership.FreesBuffers(op)
		return !found
	})
	return found
}

func deallocate(module *ir.Op) error {
	if err := attached(module.Context()); err != nil {
		return ir.Errorf(module.Loc(), "can't free by owners: %v", err)
	}
	d := &deallocator{b: ir.NewBuilder(module.Context()), tables: ir.NewSymbolTables(), summaries: map[*ir.Op]*summary{}, recursive: recursive(module), unowned: map[*ir.Op][]bool{}}
	defer unnumber(module)
	callers := analysis.NewCallers(module, d.tables)
	for _, fn := range functionsIn(module) {
		if err := onlyCalled(fn, callers); err != nil {
			return err
		}
		if err := d.function(fn); err != nil {
			return err
		}
	}
	return nil
}

// onlyCalled fails for a function that returns buffers, and so will return owners, if something but calls refers to it: values of its type wouldn't.
func onlyCalled(fn *ir.Op, callers *analysis.Callers) error {
	m, _ := interfaces.Function.Of(fn)
	if fn.RegionAt(0).Empty() || callers.OnlyCalled(fn) || !slices.ContainsFunc(m.Type(fn).Results, ir.IsMemRef) {
		return nil
	}
	return fn.Errorf("returns buffers, and is more than called: a function that is a value can't return owners beside them").
		WithNote(fn.Loc(), "it helps to call functions by their names, in branches that choose between them")
}

// recursive returns the functions of a module that may call themselves.
func recursive(module *ir.Op) map[*ir.Op]bool {
	graph, out := analysis.NewCallGraph(module), map[*ir.Op]bool{}
	for _, group := range graph.BottomUp() {
		for _, fn := range group {
			out[fn] = len(group) > 1 || slices.Contains(graph.Callees(fn), fn)
		}
	}
	return out
}

// functionsIn lists the functions in op.
func functionsIn(op *ir.Op) (out []*ir.Op) {
	op.Walk(func(o *ir.Op) bool {
		if o.NumRegions() == 0 {
			return false
		}
		if interfaces.Function.Has(o) {
			out = append(out, o)
		}
		return true
	})
	return out
}

// deallocator inserts owners into the functions of a module.
type deallocator struct {
	b      *ir.Builder
	tables *ir.SymbolTables
	// summaries is what callers need to know of the functions that were processed, and nil
	// for those that are being processed.
	summaries map[*ir.Op]*summary
	// recursive are the functions that may call themselves.
	recursive map[*ir.Op]bool
	// unowned are the buffers among the results of functions that have no owner of their own: see [deallocator.lentBefore].
	unowned map[*ir.Op][]bool
	known   // about the values of the function that is being processed
}

// known is what is known about the values of a function.
type known struct {
	aliases *aliases
	// ownerOf is the owner that a buffer has of its own, and buffer is the reverse.
	ownerOf, buffer map[*ir.Value]*ir.Value
	// given lists the operations that free what arguments of blocks, and results of branches and loops, own.
	given []freed
}

// freed is an operation that frees what the owner owns.
type freed struct {
	op    *ir.Op
	owner *ir.Value
}

// summary tells which results and arguments of a function may be the same buffer: those
// with the same number, if it isn't 0.
type summary struct{ results, args []int }

// transfer is what an operation or block did with owners: those it gave to the block
// around it, and those it took from there.
type transfer struct{ acquired, released []*ir.Value }

func (d *deallocator) setOwner(buffer, owner *ir.Value) {
	d.ownerOf[buffer], d.buffer[owner] = owner, buffer
}

func isMemRef(v *ir.Value) bool { return ir.IsMemRef(v.Type()) }

// memrefs returns the buffers among the values.
func memrefs(values []*ir.Value) (out []*ir.Value) {
	for _, v := range values {
		if isMemRef(v) {
			out = append(out, v)
		}
	}
	return out
}

func (d *deallocator) function(fn *ir.Op) error {
	if _, started := d.summaries[fn]; started || fn.RegionAt(0).Empty() {
		return nil
	}
	d.summaries[fn] = nil
	caller := d.known
	defer func() { d.known = caller }()
	d.known = known{aliases: newAliases(), ownerOf: map[*ir.Value]*ir.Value{}, buffer: map[*ir.Value]*ir.Value{}}
	number(fn)
	if err := analysis.CheckPending(fn); err != nil {
		return err
	}
	d.joinPassedTwice(fn)
	d.unowned[fn] = d.lentBefore(fn)
	block, err := onlyBlock(fn, fn.RegionAt(0))
	if err != nil {
		return err
	}
	t, err := d.block(block, handsOn)
	if err != nil {
		return err
	}
	if len(t.released) > 0 {
		return fn.Errorf("invalid realloc of memref")
	}
	if err := d.checkGiven(fn); err != nil {
		return err
	}
	ret := block.Last()
	m, _ := interfaces.Function.Of(fn)
	var types []ir.Type
	switch {
	case ret == nil:
		d.summaries[fn] = d.summarize(block.Args(), nil)
		return nil
	case ret.NumOperands() > 0 || ret.Has(ir.TraitReturnLike):
		d.summaries[fn], types = d.summarize(block.Args(), ret), ret.Operands().Types()
	default:
		// It never returns; its callers are given owners as by others.
		delete(d.unowned, fn)
		d.summaries[fn], types = d.summarize(block.Args(), nil), m.Type(fn).Results
		for _, t := range types {
			if ir.IsMemRef(t) {
				types = append(slices.Clip(types), deallocation.Ownership(fn.Context()))
			}
		}
	}
	m.SetType(fn, fn.Context().Function(m.Type(fn).Inputs, types))
	growResultAttrs(fn, len(types))
	return nil
}

// lentBefore tells, of each buffer that a function returns, whether it is lent by a function that returns owners already, as it was compiled before: the owner of
// what is lent is null, and one more of them each time it is compiled would say nothing. Functions that call themselves get all owners, since their
// callers are processed before it is known that there is none.
func (d *deallocator) lentBefore(fn *ir.Op) (out []bool) {
	m, _ := interfaces.Function.Of(fn)
	types := m.Type(fn).Results
	if d.recursive[fn] || !slices.ContainsFunc(types, deallocation.IsOwnership) {
		return nil
	}
	for i, t := range types {
		if ir.IsMemRef(t) {
			out = append(out, interfaces.LendsResult(fn, i))
		}
	}
	return out
}

// checkGiven checks that operations of a function free what control flow passes with its owner.
func (d *deallocator) checkGiven(fn *ir.Op) error {
	if len(d.given) == 0 {
		return nil
	}
	flow := analyzeOwners(fn, true)
	for _, g := range d.given {
		if flow.null[g.owner]&mayBeNull != 0 {
			return g.op.Errorf("may free a buffer that isn't owned here: control flow may pass it without its owner")
		}
	}
	return nil
}

// summarize returns the summary of a function with these arguments, that returns what the
// terminator has for operands.
func (d *deallocator) summarize(args []*ir.Value, ret *ir.Op) *summary {
	numbers := map[*class]int{}
	list := func(values []*ir.Value) []int {
		out := make([]int, len(values))
		for i, v := range values {
			if isMemRef(v) {
				c := d.aliases.class(v)
				if numbers[c] == 0 {
					numbers[c] = len(numbers) + 1
				}
				out[i] = numbers[c]
			}
		}
		return out
	}
	var results []*ir.Value
	if ret != nil {
		results = ret.Operands().Values()
	}
	return &summary{list(results), list(args)}
}

// growResultAttrs adds empty dictionaries to the attributes of the results of a
// function, if there are any.
func growResultAttrs(fn *ir.Op, n int) {
	a, ok := fn.Attr(interfaces.ResAttrs).(*ir.ArrayAttr)
	if !ok {
		return
	}
	elems := slices.Clone(a.Elems)
	for len(elems) < n {
		elems = append(elems, fn.Context().DictAttr())
	}
	fn.SetAttr(interfaces.ResAttrs, fn.Context().ArrayAttr(elems...))
}

// onlyBlock returns the only block of a region of op.
func onlyBlock(op *ir.Op, r *ir.Region) (*ir.Block, error) {
	if r.NumBlocks() != 1 {
		at := op
		if t := r.Entry().Last(); t != nil {
			at = t
		}
		return nil, op.Errorf("has a region of %d blocks, but deallocation needs structured control flow", r.NumBlocks()).
			WithNote(at.Loc(), "control goes on to other blocks here")
	}
	return r.Entry(), nil
}

// custody says what a block is to its owners.
type custody uint8

const (
	keeps   custody = iota // nothing comes or goes
	handsOn                // its terminator passes owners on
	takes                  // and its arguments receive owners
)

// block processes the operations of a block, and inserts before its end what becomes of
// its owners.
func (d *deallocator) block(blk *ir.Block, how custody) (transfer, error) {
	var out transfer
	var owned ownerSet
	if how == takes {
		for _, a := range memrefs(blk.Args()) {
			o := blk.AddArg(deallocation.Ownership(d.b.Context()), a.Loc())
			owned.add(o)
			d.setOwner(a, o)
		}
	}
	end := blk.Last()
	if end != nil && !end.Has(ir.TraitTerminator) && (end.Registered() || blk.ParentOp().Has(ir.TraitNoTerminator)) {
		end = nil
	}
	for op := blk.First(); op != nil; {
		next := op.Next()
		if op == end && op.NumRegions() == 0 {
			break
		}
		t, err := d.op(op, &owned)
		if err != nil {
			return out, err
		}
		for _, o := range t.released {
			switch {
			case owned.remove(o):
			case slices.Contains(out.released, o):
				return out, blk.ParentOp().Errorf("same value released twice")
			default:
				out.released = append(out.released, o)
			}
		}
		for _, o := range t.acquired {
			owned.add(o)
		}
		op = next
	}
	return out, d.end(blk, end, owned.list(), how)
}

// end inserts before the terminator what becomes of the block's owners.
func (d *deallocator) end(blk *ir.Block, end *ir.Op, owned []*ir.Value, how custody) error {
	d.b.SetEnd(blk)
	var yielded []*ir.Value
	d.b.Loc = blk.ParentOp().Loc()
	if end != nil {
		d.b.SetBefore(end)
		d.b.Loc = end.Loc()
		yielded = memrefs(end.Operands().Values())
	}
	type group struct {
		first           place
		yielded, owners []*ir.Value
	}
	groups := map[*class]*group{}
	var order []*group
	first := d.placesIn(blk)
	for _, v := range yielded {
		c := d.aliases.class(v)
		if groups[c] == nil {
			groups[c] = &group{first: first(c)}
			order = append(order, groups[c])
		}
		groups[c].yielded = append(groups[c].yielded, v)
	}
	slices.SortStableFunc(order, func(a, b *group) int { return cmp.Compare(a.first, b.first) })
	var left []*ir.Value
	for _, o := range owned {
		if g := groups[d.aliases.class(d.buffer[o])]; g != nil {
			g.owners = append(g.owners, o)
		} else {
			left = append(left, o)
		}
	}
	if how == keeps && len(left) < len(owned) {
		return blk.ParentOp().Errorf(blockTransfers)
	}
	if how != keeps {
		result := map[*ir.Value]*ir.Value{}
		var null *ir.Value // the owner of what is yielded once more
		if len(memrefSet(yielded)) < len(yielded) {
			null = deallocation.NewNull(d.b)
		}
		unowned := d.unowned[blk.ParentOp()]
		for i := range unowned {
			unowned[i] = unowned[i] && i < len(yielded) && len(groups[d.aliases.class(yielded[i])].owners) == 0
		}
		isUnowned := func(v *ir.Value) bool {
			i := slices.Index(yielded, v)
			return i < len(unowned) && unowned[i]
		}
		for _, g := range order {
			if !slices.ContainsFunc(g.yielded, func(v *ir.Value) bool { return !isUnowned(v) }) {
				continue
			}
			if len(g.owners) == 1 && len(g.yielded) == 1 && d.ownerOf[g.yielded[0]] == g.owners[0] {
				result[g.yielded[0]] = g.owners[0]
				continue
			}
			r := deallocation.NewRetain(d.b, g.yielded, g.owners)
			for i, v := range g.yielded {
				result[v] = r.Result(i)
			}
		}
		var passed []*ir.Value
		for i, v := range yielded {
			if i >= len(unowned) || !unowned[i] {
				passed = append(passed, result[v])
			}
			result[v] = null
		}
		if len(passed) > 0 {
			end.InsertOperands(end.NumOperands(), passed...)
		}
	}
	slices.SortStableFunc(left, func(o, p *ir.Value) int {
		return cmp.Compare(first(d.aliases.class(d.buffer[o])), first(d.aliases.class(d.buffer[p])))
	})
	for _, o := range left {
		deallocation.NewRetain(d.b, nil, []*ir.Value{o})
	}
	return nil
}

// placesIn returns what tells where the first buffer of a class is as a block sees it: for the block, its own
// arguments come before all operations.
func (d *deallocator) placesIn(blk *ir.Block) func(*class) place {
	args := map[*class]place{}
	for i, a := range blk.Args() {
		if isMemRef(a) {
			if c := d.aliases.class(a); args[c] == 0 {
				args[c] = place(i) + 1
			}
		}
	}
	return func(c *class) place {
		if p := args[c]; p > 0 {
			return p - 1
		}
		return c.first
	}
}

// blockTransfers is the error about a block that is known to be executed, but not how, and that takes owners from
// the block around it or gives owners to it.
const blockTransfers = "block unexpectededly released or returned an alloc"

func memrefSet(values []*ir.Value) map[*ir.Value]bool {
	set := map[*ir.Value]bool{}
	for _, v := range values {
		set[v] = true
	}
	return set
}

func (d *deallocator) op(op *ir.Op, owned *ownerSet) (transfer, error) {
	if m, ok := interfaces.RegionBranch.Of(op); ok && op.NumRegions() > 0 {
		return d.regionBranch(op, m, owned)
	}
	if m, ok := interfaces.Call.Of(op); ok {
		return d.call(op, m)
	}
	return d.plain(op)
}

// plain processes an operation that passes control nowhere that is known.
func (d *deallocator) plain(op *ir.Op) (t transfer, err error) {
	results := memrefs(op.Results().Values())
	effects, _ := interfaces.EffectsOf(op)
	d.b.SetAfter(op)
	d.b.Loc = op.Loc()
	if op.Attr(bufferization.ManualDeallocationAttr) != nil {
		effects = nil // the program itself frees what this allocates, and what this frees
	}
	for _, e := range effects {
		v := e.Value(op)
		if v == nil || !isMemRef(v) {
			continue
		}
		switch {
		case e.Kind == interfaces.Free && e.IsOnOperand():
			o := d.findOwner(v)
			if o == nil {
				return t, op.Errorf("unable to find ownership indicator for operand")
			}
			t.released = append(t.released, o)
			if o.IsBlockArg() || interfaces.RegionBranch.Has(o.DefiningOp()) {
				d.given = append(d.given, freed{op, o})
			}
		case e.Kind == interfaces.Allocate && interfaces.FreedBy.Has(op):
			return t, op.Errorf("allocates what an owner can't free")
		case e.Kind == interfaces.Allocate && e.IsOnResult() && e.On() == interfaces.DefaultResource:
			o := deallocation.NewOwn(d.b, v)
			d.setOwner(v, o)
			t.acquired = append(t.acquired, o)
		}
	}
	for i := range op.NumRegions() {
		for blk := range op.RegionAt(i).Blocks() {
			inner, err := d.block(blk, keeps)
			if err != nil {
				return t, err
			}
			if len(inner.released) > 0 {
				return t, op.Errorf(blockTransfers)
			}
			if end := blk.Last(); end != nil {
				for _, v := range memrefs(end.Operands().Values()) {
					d.mayAlias(v, results)
				}
			}
		}
	}
	for _, v := range memrefs(op.Operands().Values()) {
		d.mayAlias(v, results)
	}
	return t, nil
}

// mayAlias notes that the results may be the same buffer as v, where they have the same
// element type.
func (d *deallocator) mayAlias(v *ir.Value, results []*ir.Value) {
	for _, r := range results {
		if ir.ElementType(v.Type()) == ir.ElementType(r.Type()) {
			d.aliases.union(v, r)
		}
	}
}

// findOwner returns the owner of a buffer or of what it is a view of; nil if there is none.
func (d *deallocator) findOwner(v *ir.Value) *ir.Value {
	var t ir.Trail
	for v != nil && !t.Returns(v) {
		if o := d.ownerOf[v]; o != nil {
			return o
		}
		def := v.DefiningOp()
		if def == nil {
			return nil
		}
		view, ok := interfaces.ViewLike.Of(def)
		if !ok {
			return nil
		}
		v = view(def)
	}
	return nil
}

// call makes a call return owners. The callee is processed first, so that it is known
// which arguments it returns.
func (d *deallocator) call(op *ir.Op, m interfaces.CallModel) (t transfer, err error) {
	results := memrefs(op.Results().Values())
	start, n := m.Args(op)
	args := op.Operands()[start : start+n].Values()
	ref, _ := m.Callee(op)
	var fn *ir.Op
	if ref != nil {
		fn = d.tables.Lookup(op, ref)
	}
	if fn != nil {
		if !interfaces.Function.Has(fn) || fn.RegionAt(0).Empty() {
			fn = nil
		}
	}
	if fn == nil {
		// The caller owns what a function returns.
		d.b.SetAfter(op)
		d.b.Loc = op.Loc()
		for _, r := range results {
			if analysis.IsBorrowed(r) {
				continue
			}
			o := deallocation.NewOwn(d.b, r)
			d.setOwner(r, o)
			t.acquired = append(t.acquired, o)
		}
		return t, nil
	}
	if err := d.function(fn); err != nil {
		return t, err
	}
	if len(results) > 0 {
		count := op.NumResults()
		unowned := d.unowned[fn]
		isUnowned := func(i int) bool { return i < len(unowned) && unowned[i] }
		owners := 0
		for i := range results {
			if !isUnowned(i) {
				owners++
			}
		}
		op = d.withOwners(op, owners)
		results = memrefs(op.Results().Values()[:count])
		next := count
		for i, r := range results {
			if isUnowned(i) {
				continue
			}
			owner := op.Result(next)
			next++
			// The owner of what a function lends is null. Of one that calls itself, nobody sees that, so that the owner stays.
			if !analysis.IsBorrowed(r) || d.recursive[fn] && interfaces.LendsResult(fn, r.Index()) {
				d.setOwner(r, owner)
				t.acquired = append(t.acquired, owner)
			}
		}
	}
	s := d.summaries[fn]
	if s == nil {
		for _, a := range memrefs(args) {
			d.mayAlias(a, results)
		}
		return t, nil
	}
	d.callAliases(s, args, op.Results().Values())
	return t, nil
}

// callAliases notes which results of a call may be the same buffer as arguments, or other
// results.
func (d *deallocator) callAliases(s *summary, args, results []*ir.Value) {
	from := map[int]*ir.Value{}
	for i, n := range s.results { // none of a function that never returns
		r := results[i]
		if n == 0 {
			continue
		}
		if from[n] != nil {
			d.aliases.union(from[n], r)
		}
		from[n] = r
	}
	for i, a := range args {
		if n := s.args[i]; n != 0 && from[n] != nil {
			d.aliases.union(from[n], a)
		}
	}
}

// own makes values the owners of buffers.
func (d *deallocator) own(buffers, owners []*ir.Value) []*ir.Value {
	for i, r := range buffers {
		d.setOwner(r, owners[i])
	}
	return owners
}

// withOwners replaces an operation by one that returns n owners after the other
// results.
func (d *deallocator) withOwners(op *ir.Op, n int) *ir.Op {
	types := op.Results().Types()
	for range n {
		types = append(types, deallocation.Ownership(d.b.Context()))
	}
	d.b.SetBefore(op)
	return rebuild(d.b, op, op.Operands().Values(), types)
}
