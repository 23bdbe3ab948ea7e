package check

import (
	"freehold/dialect/arith"
	"freehold/dialect/bufferization"
	"freehold/dialect/cf"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/iface"
	"freehold/ir"
)

// semantics is what the analysis knows about operations beyond their interfaces:
// those that compute with booleans and addresses, and those that decide about
// control. A function returns false if the operation is to be treated like any
// other.
//
// This table, and the interfaces of the other operations, are what a proof rests on.
var semantics map[*ir.OpID]func(*analysis, *frame, *ir.Op) bool

func init() {
	semantics = map[*ir.OpID]func(*analysis, *frame, *ir.Op) bool{
		arith.AndI:                          connective((*formulas).and),
		arith.OrI:                           connective((*formulas).or),
		arith.XOrI:                          connective((*formulas).xor),
		arith.Select:                        (*analysis).selectOp,
		arith.CmpI:                          (*analysis).compare,
		cf.Assert:                           (*analysis).assert,
		bufferization.Dealloc:               (*analysis).dealloc,
		bufferization.ToTensor:              (*analysis).toTensor,
		memref.Load:                         (*analysis).load,
		memref.Store:                        (*analysis).store,
		memref.Dim:                          (*analysis).dim,
		memref.ExtractAlignedPointerAsIndex: (*analysis).address,
		memref.ExtractStridedMetadata:       (*analysis).metadata,
		memref.GetGlobal:                    (*analysis).getGlobal,
	}
}

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
		return false
	}
	a.set(fr, op.Result(0), a.choose(a.truth(fr, op.Operand(0)), a.get(fr, op.Operand(1)), a.get(fr, op.Operand(2))))
	return true
}

// compare decides comparisons of addresses by what they point to, and those of
// booleans. Comparisons of the same numbers depend on each other.
func (a *analysis) compare(fr *frame, op *ir.Op) bool {
	v, w := a.get(fr, op.Operand(0)), a.get(fr, op.Operand(1))
	attr, ok := op.Attr("predicate").(*ir.IntegerAttr)
	if !ok || op.Result(0).Type() != ir.Type(ir.I1) {
		return false
	}
	p := arith.IntPredicate(attr.Value)
	equality := p == arith.EQ || p == arith.NE
	var l lit
	switch {
	case equality && v.kind == pointer && w.kind == pointer:
		l = a.equal(v, w)
	case equality && v.kind == boolean && w.kind == boolean:
		l = a.f.iff(v.truth, w.truth)
	case v.kind == integer && w.kind == integer:
		return false
	default:
		l = a.compareNumbers(p, identity(v), identity(w))
		a.set(fr, op.Result(0), truthOf(l))
		return true
	}
	if p == arith.NE {
		l = l.not()
	}
	a.set(fr, op.Result(0), truthOf(l))
	return true
}

// compareNumbers returns the formula of a comparison of numbers of which only the
// identities are known. Of two numbers, one is the smaller one, just if they differ.
func (a *analysis) compareNumbers(p arith.IntPredicate, v, w string) lit {
	if v == "" || w == "" {
		return a.f.variable()
	}
	differs := no
	if v != w {
		differs = a.about("differs", v, w)
	}
	less := func(order, v, w string) lit {
		l := a.about(order, v, w)
		if v > w {
			l = l.not()
		}
		return a.f.and(differs, l)
	}
	switch p {
	case arith.EQ:
		return differs.not()
	case arith.NE:
		return differs
	case arith.SLT:
		return less("less", v, w)
	case arith.SGT:
		return less("less", w, v)
	case arith.SGE:
		return less("less", v, w).not()
	case arith.SLE:
		return less("less", w, v).not()
	case arith.ULT:
		return less("below", v, w)
	case arith.UGT:
		return less("below", w, v)
	case arith.UGE:
		return less("below", v, w).not()
	case arith.ULE:
		return less("below", w, v).not()
	}
	return a.f.variable()
}

// about returns the variable that says something about two numbers, in any order.
func (a *analysis) about(what, v, w string) lit {
	return a.sameFor(what+min(v, w)+max(v, w), func() value { return truthOf(a.f.variable()) }).truth
}

// assert continues only where the condition holds.
func (a *analysis) assert(fr *frame, op *ir.Op) bool {
	fr.cond = a.f.and(fr.cond, a.truth(fr, op.Operand(0)))
	return true
}

// dealloc frees each buffer of which a condition holds, unless it is retained. The
// results tell of which retained buffers a condition holds.
func (a *analysis) dealloc(fr *frame, op *ir.Op) bool {
	d := bufferization.DeallocOp{Op: op}
	// For each object, whether it is to be freed by any of the conditions, and
	// whether it is retained.
	wanted, parts := map[int]lit{}, map[int]lit{}
	var order []int
	var foreigners []target
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
			if v.part != no {
				parts[t.object] = a.f.or(parts[t.object], a.f.and(g, v.part))
			}
			if !a.objects[t.object].kind.owned() {
				foreigners = append(foreigners, target{t.object, g})
			}
			if _, ok := wanted[t.object]; !ok {
				order = append(order, t.object)
				wanted[t.object] = no
			}
			wanted[t.object] = a.f.or(wanted[t.object], g)
		}
	}
	kept := map[int]lit{}
	for i, m := range d.Retained().Values() {
		owned := no
		for _, t := range a.get(fr, m).targets {
			if w, ok := wanted[t.object]; ok && a.objects[t.object].kind != foreign {
				owned = a.f.or(owned, a.f.and(t.guard, w))
				kept[t.object] = a.f.or(kept[t.object], t.guard)
			}
			for _, x := range foreigners {
				if x.object == t.object && a.objects[t.object].kind != foreign {
					continue
				}
				same := a.f.and(a.sameObject(x.object, t.object), t.guard)
				owned = a.f.or(owned, a.f.and(same, x.guard))
				kept[x.object] = a.f.or(kept[x.object], same)
			}
		}
		a.set(fr, op.Result(i), truthOf(owned))
	}
	for _, o := range order {
		a.freePart(fr, op, o, a.f.and(parts[o], kept[o].not()))
		a.freeObject(fr, op, o, a.f.and(wanted[o], kept[o].not()))
	}
	if a.unroll {
		for _, m := range d.MemRefs().Values() {
			for _, t := range a.get(fr, m).targets {
				a.event(fr, event{kind: spared, op: op, object: t.object}, a.f.and(t.guard, a.f.and(wanted[t.object], kept[t.object].not()).not()))
			}
		}
	}
	return true
}

// toTensor is beyond the analysis: the tensor may be read at any time later.
func (a *analysis) toTensor(fr *frame, op *ir.Op) bool {
	a.use(fr, op, a.get(fr, op.Operand(0)))
	a.cannotJudge(op, "its buffer may be used as long as the tensor is")
	a.giveUp(fr, op)
	return true
}

// cell returns the number of the element that is accessed, if the analysis follows
// the buffer's contents.
func (a *analysis) cell(fr *frame, v value, indices ir.Operands) (int, bool) {
	o, ok := v.single()
	if !ok || !v.whole || a.objects[o].size == 0 || len(indices) != len(a.objects[o].shape) {
		return 0, false
	}
	x := a.objects[o]
	at := 0
	for i := range indices {
		n := a.get(fr, indices.At(i))
		if n.kind != integer || n.number < 0 || n.number >= x.shape[i] {
			return 0, false
		}
		at = at*int(x.shape[i]) + int(n.number)
	}
	return x.cells + at, true
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
	fr.st.memory = fr.st.memory.set(c, &v)
	return true
}

func (a *analysis) dim(fr *frame, op *ir.Op) bool {
	v, i := a.get(fr, op.Operand(0)), a.get(fr, op.Operand(1))
	o, ok := v.single()
	if !ok || !v.whole || i.kind != integer || i.number < 0 || i.number >= int64(len(a.objects[o].shape)) {
		return false
	}
	a.set(fr, op.Result(0), constant(a.objects[o].shape[i.number]))
	return true
}

// narrows tells whether the result of a view may be a part of what it views. It is
// not if it has as many elements, of the same type.
func narrows(op *ir.Op) bool {
	if !op.Is(memref.SubView) && !op.Is(memref.View) && !op.Is(memref.ReinterpretCast) {
		return false
	}
	from, to := op.Operand(0).Type(), op.Result(0).Type()
	n := elements(from)
	return n < 0 || n != elements(to) || ir.ElementType(from) != ir.ElementType(to)
}

// elements returns the number of elements of a memref; -1 if it isn't known.
func elements(t ir.Type) int64 {
	shape, ok := ir.ShapeOf(t)
	if !ok || !ir.IsStaticShape(shape) {
		return -1
	}
	n := int64(1)
	for _, s := range shape {
		n *= s
	}
	return n
}

// address takes the address of a buffer: views have that of what they view.
func (a *analysis) address(fr *frame, op *ir.Op) bool {
	a.set(fr, op.Result(0), a.get(fr, op.Operand(0)))
	return true
}

func (a *analysis) metadata(fr *frame, op *ir.Op) bool {
	v := a.get(fr, op.Operand(0))
	v.whole, v.part = false, no
	a.set(fr, op.Result(0), v)
	for i := 1; i < op.NumResults(); i++ {
		a.set(fr, op.Result(i), a.unknown())
	}
	return true
}

func (a *analysis) getGlobal(fr *frame, op *ir.Op) bool {
	name := op.Attr("name")
	for o, x := range a.objects {
		if x.kind == global && x.op.Attr("name") == name {
			a.set(fr, op.Result(0), a.pointTo(o))
			return true
		}
	}
	a.set(fr, op.Result(0), a.pointTo(a.newObject(object{kind: global, op: op, loc: op.Loc()})))
	return true
}

// counted are the bounds of a loop.
type counted struct {
	variable           *ir.Value
	lower, upper, step int64
}

func (c counted) trips() int64 {
	if c.upper <= c.lower {
		return 0
	}
	return (c.upper-c.lower-1)/c.step + 1
}

// bounds returns the bounds of a loop, if they are constants.
func (a *analysis) bounds(fr *frame, op *ir.Op) (counted, bool) {
	if !op.Is(scf.For) {
		return counted{}, false
	}
	o := scf.ForOp{Op: op}
	l, u, s := a.get(fr, o.LowerBound()), a.get(fr, o.UpperBound()), a.get(fr, o.Step())
	if l.kind != integer || u.kind != integer || s.kind != integer || s.number <= 0 || u.number-l.number > 1<<40 {
		return counted{}, false
	}
	return counted{o.InductionVar(), l.number, u.number, s.number}, true
}

// regionConditions returns for each region successor the condition under which
// control goes there, from the operation itself (t is nil) or from a terminator.
func (a *analysis) regionConditions(fr *frame, op, t *ir.Op, succs []iface.RegionSuccessor) []lit {
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
	case t == nil && op.Is(scf.If) && len(succs) == 2:
		return byCondition(a.truth(fr, op.Operand(0)), op.RegionAt(0))
	case t != nil && t.Is(scf.Condition) && len(succs) == 2:
		return byCondition(a.truth(fr, t.Operand(0)), op.RegionAt(1))
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
