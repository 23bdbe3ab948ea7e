package check

import (
	"slices"

	"freehold/dialect/affine"
	"freehold/dialect/bufferization"
	"freehold/dialect/linalg"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/proof/kernel"
)

func connective(of func(f *formulas, a, b kernel.Lit) kernel.Lit) func(*analysis, *kernel.Frame, *ir.Op) bool {
	return func(a *analysis, fr *kernel.Frame, op *ir.Op) bool {
		if op.Result(0).Type() != ir.Type(ir.I1) {
			return false
		}
		a.Assign(fr, op.Result(0), kernel.TruthOf(of(a.f, a.Truth(fr, op.Operand(0)), a.Truth(fr, op.Operand(1)))))
		return true
	}
}

func (a *analysis) selectOp(fr *kernel.Frame, op *ir.Op) bool {
	if op.Operand(0).Type() != ir.Type(ir.I1) {
		return false // on vectors
	}
	a.Assign(fr, op.Result(0), a.Choose(a.Truth(fr, op.Operand(0)), a.Get(fr, op.Operand(1)), a.Get(fr, op.Operand(2))))
	return true
}

// compare decides comparisons of addresses by what they point to, and those of
// booleans. Comparisons of the same numbers depend on each other.
func (a *analysis) compare(fr *kernel.Frame, op *ir.Op) bool {
	v, w := a.Get(fr, op.Operand(0)), a.Get(fr, op.Operand(1))
	v, w = a.OrNull(v, w), a.OrNull(w, v)
	if op.Result(0).Type() != ir.Type(ir.I1) {
		return false
	}
	p := kernel.Predicate(op.Attr("predicate").(*ir.IntegerAttr).Value)
	equality := p == kernel.EQ || p == kernel.NE
	var l kernel.Lit
	switch {
	case equality && v.Kind == kernel.Pointer && w.Kind == kernel.Pointer:
		l = a.SameAddress(v, w)
	case v.Kind == kernel.Boolean && w.Kind == kernel.Boolean:
		a.Assign(fr, op.Result(0), kernel.TruthOf(a.CompareTruths(p, v.Truth, w.Truth)))
		return true
	case v.Kind == kernel.Integer && w.Kind == kernel.Integer:
		return false
	default:
		l = a.CompareNumbers(p, v, w)
		a.Assign(fr, op.Result(0), kernel.TruthOf(l))
		return true
	}
	if p == kernel.NE {
		l = l.Not()
	}
	a.Assign(fr, op.Result(0), kernel.TruthOf(l))
	return true
}

// assert continues only where the condition holds.
func (a *analysis) assert(fr *kernel.Frame, op *ir.Op) bool {
	fr.Cond = a.f.And(fr.Cond, a.Truth(fr, op.Operand(0)))
	return true
}

// castAddress casts between types that hold whole addresses.
func (a *analysis) castAddress(fr *kernel.Frame, op *ir.Op) bool {
	if op.NumOperands() != 1 || op.NumResults() != 1 || !holdsAddress(op.Operand(0).Type()) || !holdsAddress(op.Result(0).Type()) {
		return false
	}
	v := a.Get(fr, op.Operand(0))
	if v.Address() {
		a.Assign(fr, op.Result(0), v)
	}
	return v.Address()
}

// holdsAddress tells whether numbers of the type are addresses, none of them cut off.
func holdsAddress(t ir.Type) bool { return t == ir.Type(ir.Index) || t == ir.Type(ir.I64) }

// realloc frees its operand, and allocates anew.
func (a *analysis) realloc(fr *kernel.Frame, op *ir.Op) bool {
	a.use(fr, op, a.Get(fr, op.Operand(0)))
	if a.HoldsAddresses(fr.St, a.Get(fr, op.Operand(0))) {
		a.hide(fr, op)
		return true
	}
	a.free(fr, op, a.Get(fr, op.Operand(0)), kernel.Yes)
	a.Assign(fr, op.Result(0), a.PointTo(a.allocate(fr, op, op.Result(0).Type(), kernel.Heap)))
	return true
}

// dealloc frees each buffer of which a condition holds, unless it is retained. The
// results tell of which retained buffers a condition holds. Buffers are the same that have
// the same base address: one that is seen at two addresses is two of them.
func (a *analysis) dealloc(fr *kernel.Frame, op *ir.Op) bool {
	d := bufferization.DeallocOp{Op: op}
	type seen struct {
		object int
		shift  int64
	}
	// For each object, as it is seen, whether it is to be freed by any of the conditions,
	// and whether it is retained.
	wanted, parts, kept := map[seen]kernel.Lit{}, map[seen]kernel.Lit{}, map[seen]kernel.Lit{}
	var order []seen
	for i, m := range d.MemRefs().Values() {
		c := a.Truth(fr, d.Conditions().At(i))
		if c == kernel.No {
			continue
		}
		v := a.Get(fr, m)
		for _, t := range a.Targets(v) {
			g := a.f.And(c, t.Guard)
			if g == kernel.No {
				continue
			}
			k := seen{t.Object, v.Shift}
			if _, ok := wanted[k]; !ok {
				order = append(order, k)
			}
			wanted[k] = a.f.Or(wanted[k], g)
			parts[k] = a.f.Or(parts[k], a.f.And(g, v.Part))
		}
	}
	for i, m := range d.Retained().Values() {
		owned := kernel.No
		v := a.Get(fr, m)
		for _, t := range a.Targets(v) {
			for _, k := range order {
				same := a.SameBase(k.object, k.shift, t.Object, v.Shift)
				if same == kernel.No {
					continue
				}
				same = a.f.And(same, t.Guard)
				owned = a.f.Or(owned, a.f.And(same, wanted[k]))
				kept[k] = a.f.Or(kept[k], same)
			}
		}
		a.Assign(fr, op.Result(i), kernel.TruthOf(owned))
	}
	for n, k := range order {
		w := a.f.And(wanted[k], kept[k].Not())
		for _, before := range order[:n] {
			// The address may be that of one that is freed already.
			if before.shift != k.shift || k.shift == kernel.AnyShift {
				w = a.f.And(w, a.f.And(wanted[before], a.f.Variable()).Not())
			}
		}
		a.freePart(fr, op, k.object, a.f.And(parts[k], kept[k].Not()))
		a.freeObject(fr, op, k.object, w)
	}
	if a.unroll {
		for _, m := range d.MemRefs().Values() {
			v := a.Get(fr, m)
			for _, t := range a.Targets(v) {
				k := seen{t.Object, v.Shift}
				a.event(fr, event{kind: spared, op: op, object: t.Object}, a.f.And(t.Guard, a.f.And(wanted[k], kept[k].Not()).Not()))
			}
		}
	}
	return true
}

// copyElements copies the contents of elements that are followed, none of them an address.
func (a *analysis) copyElements(fr *kernel.Frame, op *ir.Op) bool {
	v, w := a.Get(fr, op.Operand(0)), a.Get(fr, op.Operand(1))
	from, sizes, ok := a.Elements(v)
	to, others, ok2 := a.Elements(w)
	if !ok || !ok2 || !slices.Equal(sizes, others) || a.HoldsAddresses(fr.St, v) {
		return false
	}
	a.use(fr, op, v)
	a.use(fr, op, w)
	a.inform(w)
	n, _ := ir.NumElements(sizes)
	for i := range int(n) {
		fr.St.Memory = fr.St.Memory.Set(to+i, fr.St.Memory.Get(from+i))
	}
	return true
}

// fillElements stores a number in all elements of a buffer that is followed.
func (a *analysis) fillElements(fr *kernel.Frame, op *ir.Op) bool {
	if op.NumOperands() != 2 || op.Operand(0).Type() != ir.ElementType(op.Operand(1).Type()) || !linalg.CopiesElements(op) {
		return false // it converts the number, or has another body
	}
	v, w := a.Get(fr, op.Operand(0)), a.Get(fr, op.Operand(1))
	to, sizes, ok := a.Elements(w)
	if !ok || v.Address() {
		return false
	}
	a.use(fr, op, w)
	n, _ := ir.NumElements(sizes)
	for i := range int(n) {
		a.put(fr, w, to+i, v)
	}
	return true
}

func (a *analysis) load(fr *kernel.Frame, op *ir.Op) bool {
	v := a.Get(fr, op.Operand(0))
	c, ok := a.Element(fr, v, op.Operands()[1:])
	if !ok {
		return false
	}
	x := fr.St.Memory.Get(c)
	if x == nil {
		return false
	}
	a.use(fr, op, v)
	a.Assign(fr, op.Result(0), *x)
	return true
}

func (a *analysis) store(fr *kernel.Frame, op *ir.Op) bool {
	v, m := a.Get(fr, op.Operand(0)), a.Get(fr, op.Operand(1))
	c, ok := a.Element(fr, m, op.Operands()[2:])
	if !ok {
		return false
	}
	a.use(fr, op, m)
	a.put(fr, m, c, v)
	return true
}

func (a *analysis) dim(fr *kernel.Frame, op *ir.Op) bool {
	v, i := a.Get(fr, op.Operand(0)), a.Get(fr, op.Operand(1))
	sizes, _ := a.Sizes(v)
	if i.Kind != kernel.Integer || i.Number < 0 || i.Number >= int64(len(sizes)) {
		return false
	}
	a.Assign(fr, op.Result(0), kernel.Constant(sizes[i.Number]))
	return true
}

// address takes the base address of a buffer.
func (a *analysis) address(fr *kernel.Frame, op *ir.Op) bool {
	a.Assign(fr, op.Result(0), a.Get(fr, op.Operand(0)))
	return true
}

func (a *analysis) metadata(fr *kernel.Frame, op *ir.Op) bool {
	v := a.Get(fr, op.Operand(0))
	v.Window, v.Part = kernel.AnyWindow, kernel.No // it has the allocation, and the base address, of a view
	a.Assign(fr, op.Result(0), v)
	for i := 1; i < op.NumResults(); i++ {
		a.Assign(fr, op.Result(i), a.Fresh(kernel.Number))
	}
	return true
}

func (a *analysis) getGlobal(fr *kernel.Frame, op *ir.Op) bool {
	name := op.Attr("name")
	for o, x := range a.Objects {
		if x.Kind == kernel.Static && x.Op.Attr("name") == name && ir.SymbolTableOp(x.Op) == ir.SymbolTableOp(op) {
			a.Assign(fr, op.Result(0), a.PointTo(o))
			return true
		}
	}
	a.Assign(fr, op.Result(0), a.PointTo(a.NewObject("", kernel.Object{Kind: kernel.Static, Op: op, Loc: op.Loc(), MayBeEmpty: kernel.MayBeEmpty(op.Result(0).Type())})))
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
func (a *analysis) bounds(fr *kernel.Frame, op *ir.Op) (counted, bool) {
	if !op.Is(scf.For) {
		return counted{}, false
	}
	o := scf.ForOp{Op: op}
	l, u, s := a.Get(fr, o.LowerBound()), a.Get(fr, o.UpperBound()), a.Get(fr, o.Step())
	if l.Kind != kernel.Integer || u.Kind != kernel.Integer || s.Kind != kernel.Integer {
		return counted{}, false
	}
	bits := 64 // of an index
	if t, ok := o.LowerBound().Type().(*ir.IntegerType); ok {
		bits = t.Width
	}
	n, ok := trips(l.Number, u.Number, s.Number, bits)
	return counted{o.InductionVar(), l.Number, s.Number, n}, ok
}

// regionConditions returns for each region successor the condition under which
// control goes there, from the operation itself (t is nil) or from a terminator.
func (a *analysis) regionConditions(fr *kernel.Frame, op, t *ir.Op, succs []interfaces.RegionSuccessor) []kernel.Lit {
	byCondition := func(c kernel.Lit, then *ir.Region) []kernel.Lit {
		out := make([]kernel.Lit, len(succs))
		for i, s := range succs {
			if out[i] = c.Not(); s.Region == then {
				out[i] = c
			}
		}
		return out
	}
	switch {
	case len(succs) == 1:
		return []kernel.Lit{kernel.Yes}
	case t == nil && op.Is(scf.If):
		return byCondition(a.Truth(fr, op.Operand(0)), op.RegionAt(0))
	case t != nil && t.Is(scf.Condition):
		return byCondition(a.Truth(fr, t.Operand(0)), op.RegionAt(1))
	case t == nil && op.Is(affine.If) && a.unroll:
		return byCondition(a.inSet(fr, op), op.RegionAt(0))
	case t == nil && op.Is(scf.IndexSwitch):
		if v := a.Get(fr, op.Operand(0)); v.Kind == kernel.Integer {
			taken := op.RegionAt(0)
			for i, c := range (scf.IndexSwitchOp{Op: op}).Cases() {
				if c == v.Number {
					taken = op.RegionAt(i + 1)
				}
			}
			return byCondition(kernel.Yes, taken)
		}
		if len(succs) == op.NumRegions() {
			return a.AnyCase(a.Get(fr, op.Operand(0)), (scf.IndexSwitchOp{Op: op}).Cases())
		}
	}
	return a.AnyOf(len(succs))
}
