package ownership

import (
	"freehold/dialect/arith"
	"freehold/dialect/bufferization"
	"freehold/dialect/cf"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// region processes the blocks of a region so that each comes after those that
// dominate it, and a block after the regions of its operations.
func (d *deallocation) region(r *ir.Region) error {
	order := []*ir.Block{r.Entry()}
	if r.NumBlocks() != 1 {
		order = ir.NewDomTree(r).Preorder()
	}
	for _, b := range order {
		for op := range b.Ops() {
			// There is no place for anything beside a masked operation, nor need: it
			// allocates nothing, and passes on what the block around owns.
			// What a choice gets is known when its block has got there.
			if interfaces.IsMasking(op) || d.isChoice(op) {
				continue
			}
			if err := d.regions(op); err != nil {
				return err
			}
		}
		if err := d.block(b); err != nil {
			return err
		}
	}
	return nil
}

func (d *deallocation) regions(op *ir.Op) error {
	for _, r := range op.Regions() {
		if r.Empty() {
			continue
		}
		if err := d.region(r); err != nil {
			return err
		}
	}
	return nil
}

func (d *deallocation) block(b *ir.Block) error {
	d.b.SetStart(b)
	from := d.inherits[b]
	if from != nil {
		for _, v := range d.free[from] {
			d.Join(v, b, d.Ownership(v, from))
			d.mayFree(v, b)
		}
	}
	for _, v := range d.liveMemRefs(b) {
		if d.Ownership(v, b).State != interfaces.Uninitialized {
			continue // it was inherited, or given
		}
		if v.ParentRegion() == b.Region() {
			// Ownership moves on from block to block.
			d.Join(v, b, d.Ownership(v, v.ParentBlock()))
			d.mayFree(v, b)
		} else {
			// What is captured from around the region stays owned there.
			d.Join(v, b, interfaces.UniqueOwnership(d.bool(v.Loc(), false)))
		}
	}
	function := interfaces.Function.Has(b.ParentOp())
	for _, a := range append([]*ir.Value(nil), b.Args()...) {
		if !isMemRef(a) {
			continue
		}
		if function && b.IsEntry() && !d.module.takesOwnership(b.ParentOp(), d.opts) {
			// The caller keeps the ownership of arguments.
			d.own(a, d.bool(a.Loc(), false))
		} else if b.IsEntry() && !function && !interfaces.RegionBranch.Has(b.ParentOp()) {
			// Nothing is passed to it: it is a buffer that the operation itself has, such as the memory that threads of a launch share.
			d.own(a, d.bool(a.Loc(), false))
		} else {
			d.own(a, b.AddArg(ir.I1, a.Loc()))
		}
		d.mayFree(a, b)
	}
	for op := b.First(); op != nil; {
		next := op.Next()
		if d.isChoice(op) {
			d.giveToRegions(op)
			if err := d.regions(op); err != nil {
				return err
			}
		}
		n, err := d.op(op)
		if err != nil {
			return err
		}
		d.assumeResults(n)
		op = next
	}
	return nil
}

// op updates the state for an operation and returns it, or the one that replaces
// it.
func (d *deallocation) op(op *ir.Op) (*ir.Op, error) {
	d.b.SetBefore(op)
	if op.NumSuccessors() > 0 && d.inherits[op.Successor(0)] == op.Block() {
		return op, d.beforeEdges(op)
	}
	if m, ok := interfaces.BufferDeallocation.Of(op); ok {
		return op, m.Deallocate(op, d)
	}
	if err := checkOp(op, d.opts); err != nil {
		return nil, err
	}
	if effects, known := interfaces.EffectsOf(op); known {
		d.effects(op, effects)
	}
	if m, ok := interfaces.RegionBranch.Of(op); ok {
		op = d.regionBranch(op, m)
	}
	if m, ok := interfaces.Call.Of(op); ok {
		op = d.call(op, m)
	}
	if m, ok := interfaces.Branch.Of(op); ok {
		if err := d.branch(op, m); err != nil {
			return nil, err
		}
	}
	switch {
	case interfaces.IsRegionTerminator(op):
		if err := d.terminator(op); err != nil {
			return nil, err
		}
	case d.opts.UnstructuredControlFlow && op.Has(ir.TraitTerminator) && op.NumSuccessors() == 0 && !interfaces.Function.Has(op.Parent()):
		// The end of a region that passes no buffers on.
		d.b.SetBefore(op)
		if _, err := d.DeallocBeforeReturn(op, nil); err != nil {
			return nil, err
		}
	}
	return op, nil
}

// effects takes ownership of what the operation allocates.
func (d *deallocation) effects(op *ir.Op, effects []interfaces.Effect) {
	for _, e := range effects {
		v := e.Value(op)
		if v == nil || !isMemRef(v) {
			continue
		}
		switch {
		case e.Kind == interfaces.Free && e.IsOnOperand():
			// The program frees the buffer itself: see that it may.
			d.b.SetBefore(op)
			d.b.Loc = op.Loc()
			if o := d.Ownership(v, op.Block()); o.State == interfaces.Unique {
				notOwned := arith.New(d.b, arith.XOrI, o.Indicator, d.bool(op.Loc(), true))
				d.b.CreateOp(cf.Assert, nil, []*ir.Value{notOwned}, ir.NamedAttr{Name: "msg", Value: op.Context().StringAttr("expected that the block does not have ownership")})
			}
		case e.Kind == interfaces.Allocate && e.IsOnResult():
			d.b.SetStart(op.Block())
			heap := e.On() != interfaces.AutomaticAllocationScopeResource && op.Attr(bufferization.ManualDeallocationAttr) == nil
			d.own(v, d.bool(op.Loc(), heap))
			if heap {
				d.mayFree(v, op.Block())
			}
		}
	}
}

// regionBranch tells the regions that they don't own the buffers that enter them
// (the block around does, and frees them), unless it gives them to a loop, and takes the ownership of the results.
// It returns the operation that replaces op.
func (d *deallocation) regionBranch(op *ir.Op, m interfaces.RegionBranchModel) *ir.Op {
	// One constant for all, even if there is none that needs it, as in MLIR's pass.
	d.b.SetStart(op.Block())
	no := d.bool(op.Loc(), false)
	for _, s := range m.Successors(op, interfaces.ParentPoint) {
		if s.Region == nil {
			continue
		}
		start, n := m.EntryOperands(op, interfaces.RegionPoint{Region: s.Region})
		owned := d.giveInits(op, start, n, no)
		op.InsertOperands(start+n, owned...)
		if op.Has(ir.TraitAttrSizedOperandSegments) && len(owned) > 0 {
			growSegment(op, start+n-1, len(owned))
		}
		break // all regions that are entered get the same operands
	}
	results := op.Results().Values()
	op = d.appendResults(op, countMemRefs(results))
	d.ownResults(op, len(results))
	return op
}

// growSegment adds n to the size of the operand group that operand i is in.
func growSegment(op *ir.Op, i, n int) {
	seg := op.Attr(ir.OperandSegmentsAttr).(*ir.DenseArrayAttr)
	sizes := make([]int32, seg.Len())
	end := 0
	for g := range sizes {
		sizes[g] = int32(seg.Int(g))
		end += int(sizes[g])
		if i >= 0 && i < end {
			sizes[g] += int32(n)
			i = -1
		}
	}
	op.SetAttr(ir.OperandSegmentsAttr, op.Context().DenseI32Array(sizes...))
}

// appendResults replaces an operation by one with n further results of type i1.
func (d *deallocation) appendResults(op *ir.Op, n int) *ir.Op {
	if n == 0 {
		return op
	}
	types := op.Results().Types()
	for range n {
		types = append(types, ir.I1)
	}
	d.b.SetBefore(op)
	s := ir.OpState{Name: op.OpName(), Loc: op.Loc(), Operands: op.Operands().Values(), Types: types,
		Props: append([]ir.Attribute(nil), op.Props()...), Attrs: append([]ir.NamedAttr(nil), op.DiscardableAttrs()...)}
	for range op.Regions() {
		s.AddRegion()
	}
	next := d.b.Create(s)
	for i, r := range op.Regions() {
		next.RegionAt(i).TakeBody(r)
	}
	for i := range op.NumResults() {
		d.renamed[op.Result(i)] = next.Result(i)
		d.originals[next.Result(i)] = d.original(op.Result(i))
		op.Result(i).ReplaceAllUsesWith(next.Result(i))
	}
	d.b.Erase(op)
	return next
}

// ownResults makes the results from number first on the ownerships of the memrefs
// among the results before them.
func (d *deallocation) ownResults(op *ir.Op, first int) {
	for _, r := range op.Results().Values()[:first] {
		if isMemRef(r) {
			d.own(r, op.Result(first))
			d.mayFree(r, op.Block())
			first++
		}
	}
}

// call takes the ownership of the buffers that a call returns. It returns the
// operation that replaces op.
func (d *deallocation) call(op *ir.Op, m interfaces.CallModel) *ir.Op {
	private := false // that of a call through a value may be any function
	if ref, _ := m.Callee(op); ref != nil {
		callee := d.module.lookup(op, ref)
		private = callee != nil && ir.IsPrivate(callee) && !callee.RegionAt(0).Empty()
		if callee != nil && d.module.takesOwnership(callee, d.opts) {
			d.giveArguments(op, m)
		}
	}
	if private && d.opts.PrivateFunctionDynamicOwnership {
		n := op.NumResults()
		op = d.appendResults(op, countMemRefs(op.Results().Values()))
		d.ownResults(op, n)
		return op
	}
	d.b.SetBefore(op)
	owned := d.bool(op.Loc(), true)
	for _, r := range op.Results().Values() {
		switch {
		case !isMemRef(r):
		case analysis.IsBorrowed(r):
			d.own(r, d.bool(op.Loc(), false))
			d.lent[r] = d.lends(op, m)
		default:
			d.own(r, owned)
			d.mayFree(r, op.Block())
		}
	}
	return op
}

// branch frees before a terminator with one successor, and passes the ownerships
// of the operands along.
func (d *deallocation) branch(op *ir.Op, m interfaces.BranchModel) error {
	if op.NumSuccessors() != 1 {
		return op.PlainErrorf("BranchOpInterface operations with multiple successors are not supported yet")
	}
	start, n, produced := m.SuccessorOperands(op, 0)
	if produced > 0 {
		return op.Errorf("produced operands are not supported")
	}
	d.b.SetBefore(op)
	memrefs, conditions, err := d.ToDeallocate(op.Block(), op.Loc())
	if err != nil {
		return err
	}
	operands := op.Operands()[start : start+n].Values()
	retain := d.ToRetain(op.Block(), op.Successor(0), operands)
	updated := d.Dealloc(op.Block(), op.Loc(), memrefs, conditions, retain)
	m.SetSuccessorOperands(op, 0, append(operands, updated[:countMemRefs(operands)]...))
	return nil
}

// beforeEdges frees before a terminator whose edges have blocks of their own what
// none of them needs. The rest is freed on the edges, and gets what ownership other
// names of the same buffers had.
func (d *deallocation) beforeEdges(op *ir.Op) error {
	b := op.Block()
	memrefs, conditions, err := d.ToDeallocate(b, op.Loc())
	if err != nil {
		return err
	}
	retain := d.ToRetain(b, nil, nil)
	d.Dealloc(b, op.Loc(), memrefs, conditions, retain)
	d.freesNothing(b)
	for _, v := range retain {
		if v.ParentRegion() == b.Region() {
			d.mayFree(v, b)
		}
	}
	return nil
}

// terminator frees before a terminator of a region. From a function, only owned
// buffers are returned; from other regions the ownerships are passed along.
func (d *deallocation) terminator(op *ir.Op) error {
	d.b.SetBefore(op)
	plain := d.returnsPlain(op.Parent())
	if plain {
		for i := range op.NumOperands() {
			if v := op.Operand(i); isMemRef(v) && !interfaces.HasIdentity(op.Parent(), i) {
				op.SetOperand(i, d.guaranteed(v, op.Block()))
			}
		}
	}
	start, n := 0, op.NumOperands()
	if m, ok := interfaces.RegionBranchTerminator.Of(op); ok {
		start, n = m(op, interfaces.ParentPoint)
	}
	owned, err := d.DeallocBeforeReturn(op, op.Operands()[start:start+n].Values())
	if err != nil {
		return err
	}
	if !plain {
		op.InsertOperands(op.NumOperands(), owned...)
	}
	return nil
}

// guaranteed returns a buffer with the contents of v that is owned: v, or where
// it is not, a copy.
func (d *deallocation) guaranteed(v *ir.Value, b *ir.Block) *ir.Value {
	v, owned := d.unique(v, b)
	if c, ok := ir.ConstantInt(owned); ok && c == 1 {
		return v
	}
	d.b.Loc = v.Loc()
	r := scf.NewIf(d.b, owned, []ir.Type{v.Type()},
		func(b *ir.Builder) []*ir.Value { return []*ir.Value{v} },
		func(b *ir.Builder) []*ir.Value { return []*ir.Value{bufferization.NewClone(b, v)} }).Result(0)
	if d.opts.ExclusiveOwnership {
		// What v owned is r now. Other buffers may be v, but then they are r as well,
		// which is not freed here.
		d.Reset(v, b)
		d.Join(v, b, interfaces.UniqueOwnership(d.bool(v.Loc(), false)))
	}
	d.own(r, d.bool(v.Loc(), true))
	d.mayFree(r, r.ParentBlock())
	return r
}

// isNone tells whether a result of an operation is another buffer than an operand: one that was read in it. MLIR's pass takes them for the same.
func (d *deallocation) isNone(result, operand *ir.Value) bool {
	return d.opts.ReplaceDeallocs && ir.ElementType(operand.Type()) == result.Type()
}

// assumeResults gives the results without ownership that of the operands, all of
// which they may alias.
func (d *deallocation) assumeResults(op *ir.Op) {
	for _, r := range op.Results().Values() {
		if !isMemRef(r) || d.Ownership(r, op.Block()).State != interfaces.Uninitialized {
			continue
		}
		for _, v := range op.Operands().Values() {
			if d.lent[v] {
				d.lent[r] = true
			}
			// What is captured from around the region says nothing; that counts as not owned.
			if isMemRef(v) && !d.isNone(r, v) && (v.ParentRegion() == op.Region() || d.isGiven(v, op.Block())) {
				// Not that in the block of v: what says so there need not dominate op.
				d.Join(r, op.Block(), d.Ownership(v, op.Block()))
			}
		}
		if d.Ownership(r, op.Block()).State == interfaces.Uninitialized {
			d.b.SetBefore(op)
			d.own(r, d.bool(op.Loc(), false))
		}
	}
}
