package emitc

import (
	"slices"
	"strings"

	"freehold/dialect/cf"
	"freehold/dialect/linalg"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// nest is a loop nest that is being written.
type nest struct {
	f        *function
	op       *ir.Op
	operands []*nestOperand
	// inits is the position of the first operand that is written.
	inits int
	// sizes are the numbers of iterations of the dimensions, and vars the names of their counters.
	sizes []string
	vars  []string
	// loops are the dimensions that have a loop, the outermost first.
	loops []int
	// linear tells that all positions are sums of multiples of the counters, free that no operand that is written shares memory with
	// another one, but where both are the same elements, and indexed that the body asks for counters.
	linear, free, indexed bool
	// fill is the fill of what is written that was left to the nest.
	fill *ir.Op
	// unrolled is from which level on the loops are to be unrolled, or 0.
	unrolled int
	// apart is the operation at the end of the body that is written after the nest, or nil.
	apart *ir.Op
	// plain tells that it is written without lanes of integers.
	plain bool
	// hoisted are the operations of the body that are written before the innermost loop.
	hoisted []*ir.Op
}

// nestOperand is an operand of a loop nest.
type nestOperand struct {
	v *ir.Value
	// r is the buffer; nil for a number.
	r *ref
	m *ir.AffineMap
	// strides say how far the counter of each dimension moves the element, from start on; both are only there where the position is linear.
	strides []string
	start   string
	// arg is the argument of the body that is the element.
	arg *ir.Value
}

// structured writes an operation on a loop nest. Where it would be written in another way if buffers that callers pass didn't overlap, which they
// may, the program finds out.
func (f *function) structured(op *ir.Op) {
	if f.delays(op) {
		return
	}
	n := f.newNest(op)
	if test := n.overlapTest(); test != "" {
		f.openf("if (%s)", test)
		n.free = true
		n.best()
		f.otherwise()
		n = f.newNest(op)
		n.best()
		f.close()
		return
	}
	n.best()
}

func (f *function) newNest(op *ir.Op) *nest {
	n := &nest{f: f, op: op, linear: true, fill: f.fills[op]}
	n.collect()
	n.collapse()
	return n
}

// best writes the nest in the way that is the fastest of those that are allowed.
func (n *nest) best() {
	if t := n.tiling(); t != nil {
		t.write()
		return
	}
	if d := n.dots(); d != nil {
		n.fillFirst()
		d.write()
		return
	}
	if t := n.integerTiling(); t != nil {
		t.writeIntegers()
		return
	}
	if n.windows() {
		n.write()
		return
	}
	if op := n.functionApart(); op != nil {
		n.writeApart(op)
		return
	}
	n.arrange()
	if d := n.transposes(); d >= 0 {
		n.fillFirst()
		if count := n.blocks(d); count > 0 {
			n.writeBlocks(d, count)
		} else {
			n.writeStrips(d)
		}
		return
	}
	n.write()
}

// overlapTest returns the test that no buffer that is written overlaps another one, if the nest would be written in another way then.
func (n *nest) overlapTest() string {
	if n.free || !n.linear || !n.bodyKeepsOrder() {
		return ""
	}
	combines := false
	for _, d := range n.loops {
		combines = combines || !n.writesApart(d)
	}
	free := n.ifApart()
	better := combines || free.hoists() || free.wantsLanes() || free.integerElements() != nil || free.transposes() >= 0 || free.functionApart() != nil
	var tests []string
	for k := n.inits; k < len(n.operands); k++ {
		for i, b := range n.operands {
			a := n.operands[k]
			if i == k || i > k && i >= n.inits || b.r == nil || !mayShare(a.r, b.r) {
				continue
			}
			x, ok1 := n.extent(a)
			y, ok2 := n.extent(b)
			if !ok1 || !ok2 || a.r.data == b.r.data {
				return ""
			}
			tests = append(tests, "fh_apart("+x+", "+y+")")
		}
	}
	if len(tests) == 0 || !better && len(tests) <= mostAliasChecks {
		return ""
	}
	n.f.m.helper("fh_apart")
	return strings.Join(tests, " && ")
}

// mostAliasChecks is how many pairs of buffers gcc finds apart by itself before a loop whose iterations it does several at a time.
const mostAliasChecks = 10

// extent returns address and size in bytes of the buffer that an operand is, if that is easily said.
func (n *nest) extent(o *nestOperand) (string, bool) {
	count, ok := o.r.span()
	if !ok {
		return "", false
	}
	return plus(o.r.data, o.r.offset) + ", " + n.f.bytes(n.op, count, o.r.elem), true
}

// collect finds out what the operands are.
func (n *nest) collect() {
	f, op := n.f, n.op
	maps, body := interfaces.IndexingMaps(op), op.BodyBlock(0)
	dims := len(interfaces.Iterators(op))
	n.inits = op.NumOperands() - len(interfaces.DpsInits(op))
	n.sizes, n.vars = make([]string, dims), make([]string, dims)
	op.RegionAt(0).Op().Walk(func(x *ir.Op) bool {
		n.indexed = n.indexed || x.Is(linalg.Index)
		return true
	})
	for i := range op.NumOperands() {
		o := &nestOperand{v: op.Operand(i), m: maps[i]}
		if i < body.NumArgs() {
			o.arg = body.Arg(i)
		}
		if ir.IsMemRef(o.v.Type()) {
			o.r = f.memref(o.v)
			n.measure(o)
		} else if ir.IsTensor(o.v.Type()) {
			f.fail(op, "%s", whyNot(op))
		}
		n.operands = append(n.operands, o)
	}
	for d, s := range n.sizes {
		if s == "" {
			f.fail(op, "the extent of dimension %d is unknown", d)
		}
	}
	n.free = n.linear && n.independent()
}

// measure finds the sizes of dimensions and the strides of an operand.
func (n *nest) measure(o *nestOperand) {
	o.start, o.strides = o.r.offset, make([]string, len(n.sizes))
	for d := range o.strides {
		o.strides[d] = "0"
	}
	for i, e := range o.m.Results {
		if e.Kind == ir.AffineDim {
			if s := o.r.sizes[i]; n.sizes[e.Value] == "" {
				n.sizes[e.Value] = s
			} else {
				n.sizes[e.Value] = knownSize(n.sizes[e.Value], s)
			}
		}
		if !o.addLinear(e, "1", o.r.strides[i]) {
			n.linear = false
		}
	}
}

// addLinear adds an expression of counters, times a factor and a stride, and tells whether it is linear.
func (o *nestOperand) addLinear(e *ir.AffineExpr, by, stride string) bool {
	switch e.Kind {
	case ir.AffineConst:
		o.start = sum(o.start, mul(mul(constant(e.Value), by), stride))
	case ir.AffineDim:
		o.strides[e.Value] = sum(o.strides[e.Value], mul(by, stride))
	case ir.AffineAdd:
		return o.addLinear(e.LHS, by, stride) && o.addLinear(e.RHS, by, stride)
	case ir.AffineMul:
		if e.RHS.Kind != ir.AffineConst {
			return false
		}
		return o.addLinear(e.LHS, mul(by, constant(e.RHS.Value)), stride)
	default:
		return false
	}
	return true
}

// independent tells whether the order of iterations matters only where they write the same element.
func (n *nest) independent() bool {
	if !n.bodyKeepsOrder() {
		return false
	}
	for k := n.inits; k < len(n.operands); k++ {
		a := n.operands[k]
		for i, b := range n.operands {
			if i == k || b.r == nil || !mayShare(a.r, b.r) {
				continue
			}
			if i >= n.inits || a.r.data != b.r.data || a.start != b.start || !n.walkTogether(a, b) || !n.reachesOnce(a) {
				return false
			}
		}
	}
	return true
}

// walkTogether tells whether two operands move by as much in all dimensions that have several iterations.
func (n *nest) walkTogether(a, b *nestOperand) bool {
	for d, size := range n.sizes {
		if size != "1" && a.strides[d] != b.strides[d] {
			return false
		}
	}
	return true
}

// bodyKeepsOrder tells whether the body does nothing for which the order of iterations matters: that it computes with numbers, and reads buffers that the
// nest doesn't write.
func (n *nest) bodyKeepsOrder() bool {
	for op := range n.op.BodyBlock(0).Ops() {
		switch {
		case op == n.op.BodyBlock(0).Last(), operations().scalars[op.ID()] != nil, op.Has(ir.TraitPure) && op.NumRegions() == 0, op.Is(cf.Assert):
		case op.Is(memref.Load):
			r := n.f.memrefs[memref.LoadOp{Op: op}.MemRef()]
			for _, o := range n.operands[n.inits:] {
				if r == nil || mayShare(o.r, r) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// reachesOnce tells whether an operand is a different element in each iteration.
func (n *nest) reachesOnce(o *nestOperand) bool {
	for d, s := range o.strides {
		if s == "0" && n.sizes[d] != "1" {
			return false
		}
	}
	return o.m.IsProjectedPermutation(false)
}

// mayShare tells whether two buffers may have memory in common.
func mayShare(a, b *ref) bool {
	switch {
	case a.root != nil && a.root == b.root:
		return !a.bounded || !b.bounded || a.from < b.to && b.from < a.to
	case a.kind == unknownRoot || b.kind == unknownRoot:
		return true
	case a.kind == allocated || b.kind == allocated, a.kind == fromGlobal && b.kind == fromGlobal:
		return false
	}
	return true
}

// collapse leaves out dimensions with one iteration, and makes one of two neighbouring ones that all operands walk along in one go.
func (n *nest) collapse() {
	for d, s := range n.sizes {
		if s == "1" {
			n.vars[d] = "0"
			continue
		}
		if k := len(n.loops); k > 0 && n.joins(n.loops[k-1], d) {
			last := n.loops[k-1]
			n.sizes[d] = mul(n.sizes[last], s)
			n.vars[last] = "0"
			n.loops = n.loops[:k-1]
		}
		n.loops = append(n.loops, d)
	}
}

// joins tells whether the iterations of two dimensions, the outer one first, can be counted by the inner one alone.
func (n *nest) joins(outer, inner int) bool {
	if !n.linear || n.indexed {
		return false
	}
	_, known := number(n.sizes[inner])
	for _, o := range n.operands {
		if o.r != nil && (!known || o.strides[outer] != mul(o.strides[inner], n.sizes[inner])) {
			return false
		}
	}
	return true
}

// arrange puts the loops into an order in which the innermost one walks along memory. The order in which an element is combined with others stays:
// of the dimensions that lead to the same element none passes another.
func (n *nest) arrange() {
	if !n.free || len(n.loops) < 2 {
		return
	}
	best, at := n.cost(n.loops[len(n.loops)-1]), -1
	for i, d := range n.loops[:len(n.loops)-1] {
		if n.writesApart(d) && n.cost(d) < best {
			best, at = n.cost(d), i
		}
	}
	if at >= 0 {
		d := n.loops[at]
		n.loops = append(slices.Delete(n.loops, at, at+1), d)
	}
}

// writesApart tells whether different iterations of a dimension write different elements.
func (n *nest) writesApart(d int) bool {
	for _, o := range n.operands[n.inits:] {
		if o.strides[d] == "0" {
			return false
		}
	}
	return true
}

// cost tells how expensive a dimension is as the innermost loop: more for elements that are far from each other, and for sums that wait for each other.
func (n *nest) cost(d int) int {
	cost := 0
	for k, o := range n.operands {
		if o.r == nil {
			continue
		}
		switch s := o.strides[d]; {
		case s == "0" && k >= n.inits:
			cost += 3
		case s == "0":
		case s == "1":
			cost++
		default:
			cost += 8
		}
	}
	if size, ok := number(n.sizes[d]); ok && size < 4 {
		cost += 6
	}
	return cost
}

// element returns the expression for the element of an operand.
func (n *nest) element(o *nestOperand) string {
	if !n.linear {
		return o.r.element(n.f.mappedCounters(o.m, n.vars))
	}
	p := ""
	for _, d := range n.loops {
		if t := mul(n.vars[d], o.strides[d]); t != "0" {
			if p != "" {
				p += " + "
			}
			p += t
		}
	}
	if p == "" {
		p = o.start
	} else if o.start != "0" {
		p = sum(p, o.start)
	}
	return o.r.data + "[" + p + "]"
}

// depth returns how many loops must be open before an operand's element is known.
func (n *nest) depth(o *nestOperand) int {
	if !n.free {
		return len(n.loops)
	}
	depth := 0
	for i, d := range n.loops {
		if o.strides[d] != "0" {
			depth = i + 1
		}
	}
	return depth
}

// counters are the usual names of counters.
var counters = []string{"i", "j", "k", "l", "m", "n"}

// write writes the loops and the body.
func (n *nest) write() {
	f := n.f
	for _, o := range n.operands {
		n.pin(o)
		if o.arg != nil && o.r == nil {
			f.alias(o.arg, o.v)
		}
	}
	// What is written is kept in variables for as long as the loops don't move it.
	sums := len(n.loops)
	if n.free {
		sums = 0
		for _, o := range n.operands[n.inits:] {
			sums = max(sums, n.depth(o))
		}
	}
	// A variable can begin with the fill only if none of the loops around it comes back to its element.
	if sums == len(n.loops) || slices.ContainsFunc(n.loops[:sums], func(d int) bool { return !n.writesApart(d) }) {
		n.fillFirst()
	}
	totals := make([]string, len(n.operands))
	extreme := n.extreme(sums)
	// The innermost loop is written in steps where compilers wouldn't compute several elements at a time.
	open := len(n.loops)
	lanes, stages := n.wantsLanes(), n.staged()
	integers := n.integerElements()
	if integers == nil && sums < len(n.loops) {
		integers = n.integerSums()
	}
	placed := n.placed(sums)
	if placed != nil {
		lanes, stages, integers = false, nil, nil
	}
	if lanes || stages != nil || integers != nil {
		open--
	}
	for level := 0; ; level++ {
		for k, o := range n.operands {
			if o.arg == nil || o.r == nil || !o.arg.HasUses() {
				continue
			}
			if k < n.inits && n.depth(o) == level {
				f.bind(o.arg, f.define("in", f.ctype(n.op, o.r.elem), n.element(o)))
			}
		}
		n.hoist(level)
		if level == sums && sums < len(n.loops) {
			for k, o := range n.operands[n.inits:] {
				first := n.element(o)
				if n.fill != nil {
					first = f.value(n.fill.Operand(0))
				}
				totals[n.inits+k] = f.variable("total", f.ctype(n.op, o.r.elem), first)
				if extreme != nil {
					extreme.begin(f, totals[n.inits+k])
				}
			}
			if placed != nil {
				placed.begin(f)
			}
		}
		if level == open {
			break
		}
		n.loop(level)
	}
	switch {
	case lanes:
		n.elementsInLanes(n.loops[open])
	case integers != nil:
		n.inIntegerLanes(open, integers, totals)
	case stages != nil:
		n.inStages(n.loops[open], stages, totals)
	case extreme != nil:
		extreme.combine(f)
	case placed != nil:
		placed.combine(f, n.vars[n.loops[open-1]])
	default:
		n.body(totals)
	}
	for level := open; level >= 0; level-- {
		if level < open {
			f.close()
		}
		if level == sums && sums < len(n.loops) {
			if placed != nil {
				placed.end(n, totals[n.inits+placed.number], totals[n.inits+placed.place])
			}
			for k, o := range n.operands[n.inits:] {
				if extreme != nil {
					f.assign(totals[n.inits+k], extreme.of+"("+extreme.best+")")
				}
				f.linef("%s = %s;", n.element(o), totals[n.inits+k])
			}
		}
	}
}

// pin gives the expressions of an operand that are more than a name or number names.
func (n *nest) pin(o *nestOperand) {
	if o.r == nil {
		return
	}
	o.start = n.f.pinned("start", o.start)
	for _, d := range n.loops {
		o.strides[d] = n.f.pinned("stride", o.strides[d])
	}
}

// loop opens the loop of a level.
func (n *nest) loop(level int) {
	f, d := n.f, n.loops[level]
	size := f.pinned("size", n.sizes[d])
	base := "i"
	if level < len(counters) {
		base = counters[level]
	}
	v := f.names.fresh(base)
	n.vars[d] = v
	innermost := len(n.loops) - 1
	if n.unrolled > 0 {
		innermost = n.unrolled - 1
	}
	switch {
	case level == innermost && n.free && n.writesApart(d):
		f.m.vectorMacro()
		f.line("FH_INDEPENDENT")
	case level > innermost:
		f.line(f.m.withoutLoop())
	}
	f.openf("for (%s %s = 0; %s < %s; %s++)", f.m.types.index(), v, v, size, v)
}

// body writes the body of the innermost loop. What is written goes to the variables of totals, where there are some.
func (n *nest) body(totals []string) {
	f, body := n.f, n.op.BodyBlock(0)
	for k, o := range n.operands {
		switch {
		case o.arg == nil, o.r == nil:
		case totals[k] != "":
			f.bind(o.arg, totals[k])
		case k >= n.inits && o.arg.HasUses():
			f.bind(o.arg, f.define("out", f.ctype(n.op, o.r.elem), n.element(o)))
		}
	}
	outer, outerSizes := f.nest, f.nestSizes
	f.nest, f.nestSizes = n.vars, n.sizes
	for op := range body.Ops() {
		if op == body.Last() && op.Has(ir.TraitTerminator) {
			n.yield(op, totals)
		} else if !slices.Contains(n.hoisted, op) && op != n.apart {
			f.operation(op)
		}
	}
	f.nest, f.nestSizes = outer, outerSizes
}

// yield writes what becomes of the results of the body.
func (n *nest) yield(t *ir.Op, totals []string) {
	f := n.f
	if t.NumOperands() != len(n.operands)-n.inits {
		f.fail(t, "its structure is not supported")
	}
	if totals[n.inits] != "" || len(totals) == n.inits {
		var exprs []string
		for i := range t.NumOperands() {
			exprs = append(exprs, f.passed(t, t.Operand(i)))
		}
		f.assignAll(t, slices.Clone(totals[n.inits:]), exprs, func(i int) ir.Type { return n.operands[n.inits+i].r.elem })
		return
	}
	for i, v := range t.Operands().Values() {
		if n.apart != nil {
			v = n.apart.OnlyOperand()
		}
		f.linef("%s = %s;", n.element(n.operands[n.inits+i]), f.passed(t, v))
	}
}

// vectorMacro makes sure that there is the macro before loops whose iterations don't depend on each other.
func (m *module) vectorMacro() {
	m.helpers.define("FH_INDEPENDENT", `
/* Tells the compiler that no iteration of the loop that follows reads what another one writes. */
#ifndef FH_INDEPENDENT
#if defined(__GNUC__) && !defined(__clang__)
#define FH_INDEPENDENT _Pragma("GCC ivdep")
#else
#define FH_INDEPENDENT
#endif
#endif`)
}
