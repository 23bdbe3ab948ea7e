package check

import (
	"fmt"
	"slices"

	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/bufferization"
	"freehold/dialect/linalg"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/interfaces"
)

func connective(of func(f *formulas, a, b lit) lit) func(*analysis, *frame, *ir.Op) bool {
	return func(a *analysis, fr *frame, op *ir.Op) bool {
		if op.Result(0).Type() != ir.Type(ir.I1) {
			return false
		}
		a.set(fr, op.Result(0), truthOf(of(a.f, a.truth(fr, op.Operand(0)), a.truth(fr, op.Operand(1)))))
		return true
	}
}

func (a *analysis) selectOp(fr *frame, op *ir.Op) bool {
	if op.Operand(0).Type() != ir.Type(ir.I1) {
		return false // on vectors
	}
	a.set(fr, op.Result(0), a.choose(a.truth(fr, op.Operand(0)), a.get(fr, op.Operand(1)), a.get(fr, op.Operand(2))))
	return true
}

// compare decides comparisons of addresses by what they point to, and those of
// booleans. Comparisons of the same numbers depend on each other.
func (a *analysis) compare(fr *frame, op *ir.Op) bool {
	v, w := a.get(fr, op.Operand(0)), a.get(fr, op.Operand(1))
	v, w = a.orNull(v, w), a.orNull(w, v)
	if op.Result(0).Type() != ir.Type(ir.I1) {
		return false
	}
	p := arith.IntPredicate(op.Attr("predicate").(*ir.IntegerAttr).Value)
	equality := p == arith.EQ || p == arith.NE
	var l lit
	switch {
	case equality && v.kind == pointer && w.kind == pointer:
		l = a.equal(v, w)
	case v.kind == boolean && w.kind == boolean:
		a.set(fr, op.Result(0), truthOf(a.compareTruths(p, v.truth, w.truth)))
		return true
	case v.kind == integer && w.kind == integer:
		return false
	default:
		l = a.compareNumbers(p, v, w)
		a.set(fr, op.Result(0), truthOf(l))
		return true
	}
	if p == arith.NE {
		l = l.not()
	}
	a.set(fr, op.Result(0), truthOf(l))
	return true
}

// compareTruths returns the formula of a comparison of booleans. As signed numbers, true is -1.
func (a *analysis) compareTruths(p arith.IntPredicate, v, w lit) lit {
	only := func(v, w lit) lit { return a.f.and(v, w.not()) }
	switch p {
	case arith.EQ:
		return a.f.iff(v, w)
	case arith.NE:
		return a.f.iff(v, w).not()
	case arith.SLT, arith.UGT:
		return only(v, w)
	case arith.SGT, arith.ULT:
		return only(w, v)
	case arith.SGE, arith.ULE:
		return only(v, w).not()
	case arith.SLE, arith.UGE:
		return only(w, v).not()
	}
	return a.f.variable()
}

// assert continues only where the condition holds.
func (a *analysis) assert(fr *frame, op *ir.Op) bool {
	fr.cond = a.f.and(fr.cond, a.truth(fr, op.Operand(0)))
	return true
}

// castAddress casts between types that hold whole addresses.
func (a *analysis) castAddress(fr *frame, op *ir.Op) bool {
	if op.NumOperands() != 1 || op.NumResults() != 1 || !holdsAddress(op.Operand(0).Type()) || !holdsAddress(op.Result(0).Type()) {
		return false
	}
	v := a.get(fr, op.Operand(0))
	if v.address() {
		a.set(fr, op.Result(0), v)
	}
	return v.address()
}

// holdsAddress tells whether numbers of the type are addresses, none of them cut off.
func holdsAddress(t ir.Type) bool { return t == ir.Type(ir.Index) || t == ir.Type(ir.I64) }

// realloc frees its operand, and allocates anew.
func (a *analysis) realloc(fr *frame, op *ir.Op) bool {
	a.use(fr, op, a.get(fr, op.Operand(0)))
	if a.holdsAddresses(fr.st, a.get(fr, op.Operand(0))) {
		a.hide(fr, op)
		return true
	}
	a.free(fr, op, a.get(fr, op.Operand(0)), yes)
	a.set(fr, op.Result(0), a.pointTo(a.allocate(fr, op, op.Result(0).Type(), heap)))
	return true
}

// dealloc frees each buffer of which a condition holds, unless it is retained. The
// results tell of which retained buffers a condition holds. Buffers are the same that have
// the same base address: one that is seen at two addresses is two of them.
func (a *analysis) dealloc(fr *frame, op *ir.Op) bool {
	d := bufferization.DeallocOp{Op: op}
	type seen struct {
		object int
		shift  int64
	}
	// For each object, as it is seen, whether it is to be freed by any of the conditions,
	// and whether it is retained.
	wanted, parts, kept := map[seen]lit{}, map[seen]lit{}, map[seen]lit{}
	var order []seen
	for i, m := range d.MemRefs().Values() {
		c := a.truth(fr, d.Conditions().At(i))
		if c == no {
			continue
		}
		v := a.get(fr, m)
		for _, t := range v.targets {
			g := a.f.and(c, t.guard)
			if g == no {
				continue
			}
			k := seen{t.object, v.shift}
			if _, ok := wanted[k]; !ok {
				order = append(order, k)
			}
			wanted[k] = a.f.or(wanted[k], g)
			parts[k] = a.f.or(parts[k], a.f.and(g, v.part))
		}
	}
	for i, m := range d.Retained().Values() {
		owned := no
		v := a.get(fr, m)
		for _, t := range v.targets {
			for _, k := range order {
				same := a.sameSeen(k.object, k.shift, t.object, v.shift)
				if same == no {
					continue
				}
				same = a.f.and(same, t.guard)
				owned = a.f.or(owned, a.f.and(same, wanted[k]))
				kept[k] = a.f.or(kept[k], same)
			}
		}
		a.set(fr, op.Result(i), truthOf(owned))
	}
	for n, k := range order {
		w := a.f.and(wanted[k], kept[k].not())
		for _, before := range order[:n] {
			// The address may be that of one that is freed already.
			if before.shift != k.shift || k.shift == anyShift {
				w = a.f.and(w, a.f.and(wanted[before], a.f.variable()).not())
			}
		}
		a.freePart(fr, op, k.object, a.f.and(parts[k], kept[k].not()))
		a.freeObject(fr, op, k.object, w)
	}
	if a.unroll {
		for _, m := range d.MemRefs().Values() {
			v := a.get(fr, m)
			for _, t := range v.targets {
				k := seen{t.object, v.shift}
				a.event(fr, event{kind: spared, op: op, object: t.object}, a.f.and(t.guard, a.f.and(wanted[k], kept[k].not()).not()))
			}
		}
	}
	return true
}

// sameSeen returns the formula that tells whether objects that are seen with shifts have
// the same address.
func (a *analysis) sameSeen(i int, shift int64, j int, other int64) lit {
	if a.sameShift(shift, other) == no {
		return a.f.variable()
	}
	return a.sameObject(i, j, false)
}

// cell returns the number of the element that is accessed, if the analysis follows
// the buffer's contents.
func (a *analysis) cell(fr *frame, v value, indices ir.Operands) (int, bool) {
	o, ok := v.single()
	sizes, known := a.sizes(v)
	if !ok || !known || a.objects[o].size == 0 || len(indices) != len(sizes) {
		return 0, false
	}
	at := 0
	for i, size := range sizes {
		n := a.get(fr, indices.At(i))
		if n.kind != integer || n.number < 0 || n.number >= size {
			return 0, false
		}
		at = at*int(size) + int(n.number)
	}
	return a.objects[o].cells + at, true
}

// sizes returns the sizes of a memref of a single object whose contents are followed; false
// if nobody knows which elements it sees.
func (a *analysis) sizes(v value) ([]int64, bool) {
	switch o, ok := v.single(); {
	case !ok || v.window == anyWindow:
		return nil, false
	case v.window == wholeWindow:
		return a.objects[o].shape, true
	}
	return a.windows[v.window-ownSizes], true
}

// windowOf returns the window of a view of x. What starts where the object does, and whose
// type has sizes and no layout, sees the first elements of an object that is followed.
func (a *analysis) windowOf(op *ir.Op, x value) int32 {
	if interfaces.IsCast(op) {
		return x.window
	}
	m, ok := op.Result(0).Type().(*ir.MemRefType)
	o, single := x.single()
	if !ok || !single || m.Layout != nil || op.NumOperands() != 1 || x.shift != 0 || x.window == anyWindow && !op.Is(memref.ReinterpretCast) {
		return anyWindow
	}
	n, static := ir.NumElements(m.Shape)
	if of := a.objects[o]; of.size == 0 || !static || n > int64(of.size) || m.Elem != ir.ElementType(of.op.Result(0).Type()) {
		return anyWindow
	}
	for i, sizes := range a.windows {
		if slices.Equal(sizes, m.Shape) {
			return ownSizes + int32(i)
		}
	}
	a.windows = append(a.windows, m.Shape)
	return ownSizes + int32(len(a.windows)-1)
}

// elements returns the elements that a memref sees, if the analysis follows all their contents.
func (a *analysis) elements(v value) (first int, sizes []int64, ok bool) {
	o, _ := v.single()
	if sizes, ok = a.sizes(v); !ok || a.objects[o].size == 0 {
		return 0, nil, false
	}
	return a.objects[o].cells, sizes, true
}

// copyElements copies the contents of elements that are followed, none of them an address.
func (a *analysis) copyElements(fr *frame, op *ir.Op) bool {
	v, w := a.get(fr, op.Operand(0)), a.get(fr, op.Operand(1))
	from, sizes, ok := a.elements(v)
	to, others, ok2 := a.elements(w)
	if !ok || !ok2 || !slices.Equal(sizes, others) || a.holdsAddresses(fr.st, v) {
		return false
	}
	a.use(fr, op, v)
	a.use(fr, op, w)
	a.inform(w)
	n, _ := ir.NumElements(sizes)
	for i := range int(n) {
		fr.st.memory = fr.st.memory.set(to+i, fr.st.memory.get(from+i))
	}
	return true
}

// fillElements stores a number in all elements of a buffer that is followed.
func (a *analysis) fillElements(fr *frame, op *ir.Op) bool {
	if op.NumOperands() != 2 || op.Operand(0).Type() != ir.ElementType(op.Operand(1).Type()) || !linalg.CopiesElements(op) {
		return false // it converts the number, or has another body
	}
	v, w := a.get(fr, op.Operand(0)), a.get(fr, op.Operand(1))
	to, sizes, ok := a.elements(w)
	if !ok || v.address() {
		return false
	}
	a.use(fr, op, w)
	n, _ := ir.NumElements(sizes)
	for i := range int(n) {
		a.put(fr, w, to+i, v)
	}
	return true
}

func (a *analysis) load(fr *frame, op *ir.Op) bool {
	v := a.get(fr, op.Operand(0))
	c, ok := a.cell(fr, v, op.Operands()[1:])
	if !ok {
		return false
	}
	x := fr.st.memory.get(c)
	if x == nil {
		return false
	}
	a.use(fr, op, v)
	a.set(fr, op.Result(0), *x)
	return true
}

func (a *analysis) store(fr *frame, op *ir.Op) bool {
	v, m := a.get(fr, op.Operand(0)), a.get(fr, op.Operand(1))
	c, ok := a.cell(fr, m, op.Operands()[2:])
	if !ok {
		return false
	}
	a.use(fr, op, m)
	a.put(fr, m, c, v)
	return true
}

func (a *analysis) dim(fr *frame, op *ir.Op) bool {
	v, i := a.get(fr, op.Operand(0)), a.get(fr, op.Operand(1))
	sizes, _ := a.sizes(v)
	if i.kind != integer || i.number < 0 || i.number >= int64(len(sizes)) {
		return false
	}
	a.set(fr, op.Result(0), constant(sizes[i.number]))
	return true
}

// shiftedBy returns the shift of the base address of a view, given that of what it views.
func (a *analysis) shiftedBy(fr *frame, op *ir.Op, shift int64) int64 {
	if interfaces.KeepsBaseAddress(op) {
		return shift
	}
	m, _ := interfaces.ShiftedBase.Of(op)
	by := m(op)
	key := fmt.Sprintf(" i%d", by.Const)
	if by.Value != nil {
		key = identity(a.get(fr, by.Value))
	}
	switch {
	case key == " i0":
		return shift
	case key == "" || shift == anyShift:
		return anyShift
	}
	key = fmt.Sprintf("%d%s", shift, key)
	n, ok := a.shifts[key]
	if !ok {
		n = int64(len(a.shifts) + 1)
		a.shifts[key] = n
	}
	return n
}

// address takes the base address of a buffer.
func (a *analysis) address(fr *frame, op *ir.Op) bool {
	a.set(fr, op.Result(0), a.get(fr, op.Operand(0)))
	return true
}

func (a *analysis) metadata(fr *frame, op *ir.Op) bool {
	v := a.get(fr, op.Operand(0))
	v.window, v.part = anyWindow, no // it has the allocation, and the base address, of a view
	a.set(fr, op.Result(0), v)
	for i := 1; i < op.NumResults(); i++ {
		a.set(fr, op.Result(i), a.unknown())
	}
	return true
}

func (a *analysis) getGlobal(fr *frame, op *ir.Op) bool {
	name := op.Attr("name")
	for o, x := range a.objects {
		if x.kind == global && x.op.Attr("name") == name && ir.SymbolTableOp(x.op) == ir.SymbolTableOp(op) {
			a.set(fr, op.Result(0), a.pointTo(o))
			return true
		}
	}
	a.set(fr, op.Result(0), a.pointTo(a.newObject(object{kind: global, op: op, loc: op.Loc(), vacant: mayBeEmpty(op.Result(0).Type())})))
	return true
}

// counted is a loop that is known to run some number of times, with its variable.
type counted struct {
	variable           *ir.Value
	lower, step, trips int64
}

// trips returns how often a loop runs from lower to below upper, as signed numbers, in
// positive steps. It doesn't know of loops that count beyond the largest number.
func trips(lower, upper, step int64, bits int) (int64, bool) {
	if step <= 0 || bits > 64 {
		return 0, false
	}
	if upper <= lower {
		return 0, true
	}
	largest := uint64(1)<<(bits-1) - 1
	// These are positive, and may be beyond the largest signed number.
	distance := uint64(upper) - uint64(lower)
	n := (distance-1)/uint64(step) + 1
	room := largest - uint64(lower)
	if n > room/uint64(step) || n > 1<<40 {
		return 0, false
	}
	return int64(n), true
}

// bounds returns the bounds of a loop, if they are constants.
func (a *analysis) bounds(fr *frame, op *ir.Op) (counted, bool) {
	if !op.Is(scf.For) {
		return counted{}, false
	}
	o := scf.ForOp{Op: op}
	l, u, s := a.get(fr, o.LowerBound()), a.get(fr, o.UpperBound()), a.get(fr, o.Step())
	if l.kind != integer || u.kind != integer || s.kind != integer {
		return counted{}, false
	}
	bits := 64 // of an index
	if t, ok := o.LowerBound().Type().(*ir.IntegerType); ok {
		bits = t.Width
	}
	n, ok := trips(l.number, u.number, s.number, bits)
	return counted{o.InductionVar(), l.number, s.number, n}, ok
}

// regionConditions returns for each region successor the condition under which
// control goes there, from the operation itself (t is nil) or from a terminator.
func (a *analysis) regionConditions(fr *frame, op, t *ir.Op, succs []interfaces.RegionSuccessor) []lit {
	byCondition := func(c lit, then *ir.Region) []lit {
		out := make([]lit, len(succs))
		for i, s := range succs {
			if out[i] = c.not(); s.Region == then {
				out[i] = c
			}
		}
		return out
	}
	switch {
	case len(succs) == 1:
		return []lit{yes}
	case t == nil && op.Is(scf.If):
		return byCondition(a.truth(fr, op.Operand(0)), op.RegionAt(0))
	case t != nil && t.Is(scf.Condition):
		return byCondition(a.truth(fr, t.Operand(0)), op.RegionAt(1))
	case t == nil && op.Is(affine.If) && a.unroll:
		return byCondition(a.inSet(fr, op), op.RegionAt(0))
	case t == nil && op.Is(scf.IndexSwitch):
		if v := a.get(fr, op.Operand(0)); v.kind == integer {
			taken := op.RegionAt(0)
			for i, c := range (scf.IndexSwitchOp{Op: op}).Cases() {
				if c == v.number {
					taken = op.RegionAt(i + 1)
				}
			}
			return byCondition(yes, taken)
		}
		if len(succs) == op.NumRegions() {
			return a.anyCase(a.get(fr, op.Operand(0)), (scf.IndexSwitchOp{Op: op}).Cases())
		}
	}
	return a.anyOf(len(succs))
}
