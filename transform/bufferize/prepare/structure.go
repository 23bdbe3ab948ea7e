package prepare

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/cf"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// StructureControlFlow replaces branches between the blocks of functions with tensors or buffers by `scf.if`, `scf.index_switch` and `scf.while`, from the inside out, as far as there is a conditional or a loop with one
// exit: structural analysis (Sharir, Structural analysis: A new approach to flow analysis in optimizing compilers, 1980) by the three forms that structured control flow is lowered to. What isn't of these, such as a loop that is left
// at two places, stays, and so does what would be nested more than MostNested deep, as passes take time for each operation that depends on that. It returns how many it replaced. Linear time.
func StructureControlFlow(op *ir.Op) (n int) {
	b := ir.NewBuilder(op.Context())
	op.Walk(func(op *ir.Op) bool {
		if !interfaces.Function.Has(op) {
			return true
		}
		if op.NumRegions() == 1 && op.RegionAt(0).NumBlocks() > 1 && hasArrays(op.RegionAt(0)) {
			s := structurer{b: b, region: op.RegionAt(0), depth: map[*ir.Block]int{}}
			s.run()
			n += s.replaced
		}
		return false
	})
	return n
}

// MostNested bounds how deep regions get nested by what makes programs ready for bufferization. Passes take time for each operation that depends on how deep it is.
const MostNested = 32

// hasArrays tells whether there are tensors or buffers in the blocks of a region. Others gain nothing.
func hasArrays(r *ir.Region) bool {
	isArray := func(v *ir.Value) bool { return interfaces.IsTensorLike(v.Type()) || interfaces.IsBufferLike(v.Type()) }
	for blk := range r.Blocks() {
		if slices.ContainsFunc(blk.Args(), isArray) {
			return true
		}
		for op := range blk.Ops() {
			if slices.ContainsFunc(op.Operands().Values(), isArray) || slices.ContainsFunc(op.Results().Values(), isArray) {
				return true
			}
		}
	}
	return false
}

// structurer replaces branches in a region.
type structurer struct {
	b        *ir.Builder
	region   *ir.Region
	depth    map[*ir.Block]int // how deep regions in a block are nested that were made here
	replaced int
}

// nests tells whether blocks may become parts of an operation at the end of another one, and notes how deep that is nested then.
func (s *structurer) nests(blk *ir.Block, inner ...*ir.Block) bool {
	depth := 0
	for _, x := range inner {
		depth = max(depth, s.depth[x])
	}
	if depth == MostNested {
		return false
	}
	s.depth[blk] = max(s.depth[blk], depth+1)
	return true
}

// run looks at each block until nothing begins there any more, and then again at those that lead to it.
func (s *structurer) run() {
	var todo []*ir.Block
	waits := map[*ir.Block]bool{}
	dom := ir.NewDominance()
	// What isn't reached may use values that are defined anywhere, also where they wouldn't be seen afterwards.
	push := func(blk *ir.Block) {
		if !waits[blk] && dom.IsReachable(blk) {
			waits[blk] = true
			todo = append(todo, blk)
		}
	}
	for blk := range s.region.Blocks() {
		push(blk)
	}
	slices.Reverse(todo)
	for len(todo) > 0 {
		blk := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		waits[blk] = false
		if blk.Region() != s.region {
			continue // it became a part of another one
		}
		changed := false
		for s.join(blk) || s.conditional(blk) || s.loop(blk) {
			changed = true
		}
		if changed {
			for u := blk.FirstPred(); u != nil; u = u.NextPred() {
				push(u.Owner().Block())
			}
		}
	}
}

// edge is where a branch leads to, and what it passes.
type edge struct {
	to     *ir.Block
	values []*ir.Value
}

// jump returns the edge of a block that leads to one place; nil for others.
func jump(blk *ir.Block) *edge {
	if t := blk.Last(); t != nil && t.Is(cf.Branch) && len(t.DiscardableAttrs()) == 0 {
		return edgeOf(t, 0)
	}
	return nil
}

// edgeOf returns an edge of a branch.
func edgeOf(t *ir.Op, i int) *edge {
	m, _ := interfaces.Branch.Of(t)
	start, n, _ := m.SuccessorOperands(t, i)
	return &edge{t.Successor(i), t.Operands()[start : start+n].Values()}
}

// choice returns the edges of a block that ends with a condition, or with a switch: then the first one is the default. It is nil for others.
func choice(blk *ir.Block) (t *ir.Op, edges []*edge) {
	t = blk.Last()
	if t == nil || !t.Is(cf.CondBranch) && !t.Is(cf.Switch) || len(t.DiscardableAttrs()) > 0 {
		return nil, nil
	}
	for i := range t.NumSuccessors() {
		edges = append(edges, edgeOf(t, i))
	}
	return t, edges
}

// indices returns the cases of a switch as those of one by an index; false if it can't be one.
func indices(t *ir.Op) (cases []int64, ok bool) {
	flag, ok := cf.SwitchOp{Op: t}.Flag().Type().(*ir.IntegerType)
	if !ok || flag.Width == 1 || flag.Width > 32 { // an index may have 32 bits
		return nil, false
	}
	_, all := cf.SwitchCases(t)
	seen := make(map[int64]bool, len(all))
	for _, c := range all {
		n := c.Value.(*ir.IntegerAttr).Value
		if seen[n] {
			return nil, false // the first one counts
		}
		seen[n] = true
		cases = append(cases, n)
	}
	return cases, true
}

// enter gives the arguments of a block the values of its only edge.
func (e *edge) enter() {
	for i, a := range e.to.Args() {
		a.ReplaceAllUsesWith(e.values[i])
	}
}

// join appends the block after one, if nothing else leads there.
func (s *structurer) join(blk *ir.Block) bool {
	e := jump(blk)
	if e == nil || e.to == blk || e.to.SinglePred() != blk {
		return false
	}
	blk.Last().Erase()
	e.enter()
	blk.AppendAll(e.to)
	e.to.Remove()
	s.depth[blk] = max(s.depth[blk], s.depth[e.to])
	return true
}

// side returns what an edge of a condition computes before control meets the other one: the block that it leads to, if that is only for it, or nothing.
func side(blk *ir.Block, e *edge) (body *ir.Block, after *edge) {
	if e.to != blk && e.to.SinglePred() == blk {
		if after = jump(e.to); after != nil && after.to != e.to {
			return e.to, after
		}
	}
	return nil, e
}

// conditional makes a `scf.if`, or a `scf.index_switch`, of a choice at the end of a block whose sides all lead to the same place.
func (s *structurer) conditional(blk *ir.Block) bool {
	t, edges := choice(blk)
	if t == nil {
		return false
	}
	var cases []int64
	if t.Is(cf.Switch) {
		var ok bool
		if cases, ok = indices(t); !ok {
			return false
		}
	}
	if len(edges) == 1 {
		// What a switch without cases leads to may use what stands before it.
		s.b.SetBefore(t)
		s.b.Loc = t.Loc()
		cf.NewBranch(s.b, edges[0].to, edges[0].values...)
		t.Erase()
		return true
	}
	var target *ir.Block
	bodies := make([]*ir.Block, len(edges))
	for i, e := range edges {
		body, after := side(blk, e)
		if target == nil {
			target = after.to
		}
		if bodies[i] = body; after.to != target {
			return false
		}
	}
	if !s.nests(blk, bodies...) {
		return false
	}
	branch := func(i int) []*ir.Value {
		if bodies[i] == nil {
			return edges[i].values
		}
		edges[i].enter()
		return s.move(bodies[i], s.b.InsertionPoint().Block)
	}
	s.b.SetBefore(t)
	s.b.Loc = t.Loc()
	var made *ir.Op
	if types := ir.TypesOf(target.Args()); t.Is(cf.Switch) {
		flag := arith.NewCast(s.b, arith.IndexCast, ir.Index, cf.SwitchOp{Op: t}.Flag())
		made = scf.NewIndexSwitch(s.b, flag, cases, types, func(_ *ir.Builder, i int) []*ir.Value { return branch(i + 1) }).Op
	} else {
		made = scf.NewIf(s.b, cf.CondBranchOp{Op: t}.Condition(), types,
			func(*ir.Builder) []*ir.Value { return branch(0) }, func(*ir.Builder) []*ir.Value { return branch(1) }).Op
	}
	s.b.SetBefore(t)
	cf.NewBranch(s.b, target, made.Results().Values()...)
	t.Erase()
	s.replaced++
	return true
}

// move appends a block to one in a region of an operation, and returns what its branch passed on.
func (s *structurer) move(from, to *ir.Block) []*ir.Value {
	values := jump(from).values
	from.Last().Erase()
	to.AppendAll(from)
	from.Remove()
	return values
}

// loop makes a `scf.while` of a block whose condition leads to it again, at once or by a block that is only for that, and else out.
func (s *structurer) loop(head *ir.Block) bool {
	t, edges := choice(head)
	if t == nil || !t.Is(cf.CondBranch) {
		return false
	}
	again, out := edges[0], edges[1]
	body, back := side(head, again)
	negated := back.to != head
	if negated {
		again, out = out, again
		body, back = side(head, again)
	}
	if back.to != head || !s.nests(head, head, body) {
		return false
	}
	if body != nil {
		again.enter()
	}
	s.b.SetBefore(t)
	s.b.Loc = t.Loc()
	condition := cf.CondBranchOp{Op: t}.Condition()
	if negated {
		condition = arith.New(s.b, arith.XOrI, condition, arith.ConstantBool(s.b, true))
	}
	handed := s.usedAfter(head, t, slices.Concat(again.values, out.values))
	w := scf.NewWhile(s.b, ir.TypesOf(handed), head.Args())
	inBody, inOut := ir.NewMapping(), ir.NewMapping()
	for i, v := range handed {
		inBody.Map(v, w.After().Arg(i))
		inOut.Map(v, w.Result(i))
		v.ReplaceUsesIf(w.After().Arg(i), func(u *ir.Use) bool { return body != nil && s.block(u) == body })
		v.ReplaceUsesIf(w.Result(i), func(u *ir.Use) bool { return s.block(u) != head })
	}
	exit := valuesOf(inOut, out.values)
	var next []*ir.Value
	if body != nil {
		next = s.move(body, w.After())
	} else {
		next = valuesOf(inBody, back.values)
	}
	s.b.SetBefore(t)
	cf.NewBranch(s.b, out.to, exit...)
	t.Erase()
	s.b.SetEnd(w.After())
	scf.NewYield(s.b, next...)
	s.b.SetEnd(w.Before())
	scf.NewCondition(s.b, condition, handed...)
	for op := range head.Ops() {
		if op == w.Op {
			break
		}
		op.MoveBefore(w.Before().Last())
	}
	for i, a := range head.Args() {
		a.ReplaceUsesIf(w.Before().Arg(i), func(u *ir.Use) bool { return u.Owner() != w.Op })
	}
	s.replaced++
	return true
}

// block returns the block of the region in which a use is.
func (s *structurer) block(u *ir.Use) *ir.Block { return s.region.AncestorIn(u.Owner()).Block() }

// usedAfter returns the values of a block that are used after the condition at its end, and first those that this passes on, in the order in which it does: that of the loop before it became branches.
func (s *structurer) usedAfter(blk *ir.Block, condition *ir.Op, passed []*ir.Value) (out []*ir.Value) {
	noted := map[*ir.Value]bool{}
	note := func(v *ir.Value) {
		if noted[v] {
			return
		}
		noted[v] = true
		for u := v.FirstUse(); u != nil; u = u.Next() {
			if s.block(u) != blk || u.Owner() == condition && u.Index() > 0 {
				out = append(out, v)
				return
			}
		}
	}
	for _, v := range passed {
		if v.ParentBlock() == blk {
			note(v)
		}
	}
	for _, a := range blk.Args() {
		note(a)
	}
	for op := range blk.Ops() {
		for _, r := range op.Results().Values() {
			note(r)
		}
	}
	return out
}

// valuesOf returns what stands for values in a mapping.
func valuesOf(m *ir.Mapping, values []*ir.Value) (out []*ir.Value) {
	for _, v := range values {
		out = append(out, m.Value(v))
	}
	return out
}
