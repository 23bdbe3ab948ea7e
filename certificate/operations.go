package certificate

import (
	"fmt"
	"strconv"

	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/bufferization"
	"freehold/dialect/builtin"
	"freehold/dialect/cf"
	"freehold/dialect/memref"
	testd "freehold/dialect/test"
	"freehold/dialect/vector"
	"freehold/iface"
	"freehold/ir"
)

// rules are what operations do that their interfaces don't say enough about; they return false
// where these do.
var rules = map[*ir.OpID]func(*verifier, *frame, *ir.Op) bool{
	memref.Dealloc:                      (*verifier).dealloc,
	memref.Realloc:                      (*verifier).realloc,
	memref.Load:                         (*verifier).load,
	memref.Store:                        (*verifier).store,
	memref.Dim:                          (*verifier).dim,
	memref.GetGlobal:                    (*verifier).getGlobal,
	memref.ExtractAlignedPointerAsIndex: (*verifier).address,
	memref.ExtractStridedMetadata:       (*verifier).metadata,
	bufferization.Dealloc:               (*verifier).deallocUnlessRetained,
	cf.Assert:                           (*verifier).assert,
	arith.AndI:                          (*verifier).connective,
	arith.OrI:                           (*verifier).connective,
	arith.XOrI:                          (*verifier).connective,
	arith.CmpI:                          (*verifier).compare,
	arith.Select:                        (*verifier).selectOp,
	arith.IndexCast:                     (*verifier).castAddress,
	arith.IndexCastUI:                   (*verifier).castAddress,
	builtin.UnrealizedConversionCast:    (*verifier).castAddress,
}

func is(op *ir.Op, ids ...*ir.OpID) bool {
	for _, id := range ids {
		if op.Is(id) {
			return true
		}
	}
	return false
}

// outOfScope tells whether nothing is known about values of the type.
func outOfScope(t ir.Type) bool {
	switch t := t.(type) {
	case *ir.IntegerType, *ir.IndexType, *ir.NoneType, *ir.ComplexType, *ir.FunctionType:
		return false
	case *ir.VectorType:
		return outOfScope(t.Elem)
	case *ir.MemRefType:
		return outOfScope(t.Elem)
	case *ir.UnrankedMemRefType:
		return outOfScope(t.Elem)
	}
	return !ir.IsFloat(t)
}

// inScope tells whether the types of all values that op touches are known; else the
// certificate is refused.
func (v *verifier) inScope(op *ir.Op) bool {
	ok := true
	for i := range op.NumOperands() {
		ok = ok && !outOfScope(op.Operand(i).Type())
	}
	for i := range op.NumResults() {
		ok = ok && !outOfScope(op.Result(i).Type())
	}
	for _, r := range op.Regions() {
		for i := 0; !r.Empty() && i < r.Entry().NumArgs(); i++ {
			ok = ok && !outOfScope(r.Entry().Arg(i).Type())
		}
	}
	if !ok {
		v.refuse(op, "it has values of a type that nothing is known about")
	}
	return ok
}

// execute updates the state for an operation that is no terminator.
func (v *verifier) execute(fr *frame, op *ir.Op) {
	if !v.inScope(op) {
		return
	}
	if rule := rules[op.OpName().ID()]; rule != nil && rule(v, fr, op) {
		return
	}
	if m, ok := iface.Call.Of(op); ok {
		v.call(fr, op, m)
		return
	}
	if m, ok := iface.RegionBranch.Of(op); ok {
		if d := op.Dialect().Name; d == "scf" || d == "affine" && !op.Is(affine.Parallel) || op.Is(memref.AllocaScope) {
			v.regions(fr, op, m)
			return
		}
	}
	v.access(fr, op)
}

// access executes an operation by its effects: it uses what it reads and writes, and makes a
// buffer, a view, or numbers.
func (v *verifier) access(fr *frame, op *ir.Op) {
	effects, known := iface.EffectsOf(op)
	if is(op, affine.Prefetch, memref.Prefetch, memref.AssumeAlignment) {
		effects, known = nil, true // they touch no memory
	}
	_, structured := iface.DestinationStyle.Of(op)
	structured = structured || is(op, affine.Parallel, vector.Mask, memref.GenericAtomicRMW, testd.RegionBufferBased)
	buffers, addresses, viewed, made := 0, false, (*ir.Value)(nil), iface.DefaultResource
	for i := range op.NumOperands() {
		x := op.Operand(i)
		addresses = addresses || v.get(fr, x).carries(x.Type())
		if ir.IsMemRef(x.Type()) {
			buffers++
		}
	}
	for i := range op.NumResults() {
		if ir.IsMemRef(op.Result(i).Type()) {
			buffers++
		}
	}
	switch {
	case op.NumRegions() > 0 && !structured, buffers > 0 && !known:
		v.refuse(op, "there is no rule for what it does with buffers")
		return
	case addresses && (buffers > 0 || op.NumRegions() > 0 || !iface.IsMemoryEffectFree(op)):
		v.refuse(op, "an address gets out of sight")
		return
	}
	allocates := false
	for _, e := range effects {
		x := e.Value(op)
		switch {
		case buffers == 0:
		case e.Kind == iface.Allocate && x == op.Result(0):
			allocates, made = true, e.On()
		case e.Kind <= iface.Write && e.IsOnResult():
		case e.Kind <= iface.Write && x != nil && ir.IsMemRef(x.Type()):
			p := v.get(fr, x)
			v.use(fr, op, p)
			if v.holdsAddresses(fr.st, p) || e.Kind == iface.Write && ir.IsMemRef(ir.ElementType(x.Type())) {
				v.refuse(op, "an address gets out of sight")
			}
			if e.Kind == iface.Write {
				v.written(fr, p)
			}
		default:
			v.refuse(op, "there is no rule for one of its effects")
		}
	}
	if op.NumRegions() > 0 {
		v.anyTimes(fr, op)
	}
	if view, ok := iface.ViewLike.Of(op); ok {
		viewed = view(op)
	} else if view, ok := iface.OtherView.Of(op); ok {
		viewed = view(op)
	}
	for i := range op.NumResults() {
		r := op.Result(i)
		switch {
		case !ir.IsMemRef(r.Type()) && addresses && r.Type() != ir.Type(ir.I1):
			fr.values[r] = v.fresh(derived)
		case !ir.IsMemRef(r.Type()) && (buffers == 0 || len(effects) > 0 || op.Is(memref.Rank)):
			fr.values[r] = v.scalar(fr, op, r)
		case i == 0 && allocates && made == iface.AutomaticAllocationScopeResource:
			o := v.once(fr, op)
			fr.st.live = fr.st.live.set(o, yes)
			fr.values[r] = v.pointTo(o)
		case i == 0 && allocates:
			fr.values[r] = v.pointTo(v.allocate(fr, op, 0, r.Type()))
		case i == 0 && viewed != nil && ir.IsMemRef(viewed.Type()) && ir.IsMemRef(r.Type()):
			fr.values[r] = v.view(fr, op, v.get(fr, viewed))
		default:
			v.refuse(op, "there is no rule for what it returns")
		}
	}
}

// allocate returns a new object, result i of an operation, that lives from here on.
func (v *verifier) allocate(fr *frame, op *ir.Op, i int, t ir.Type) int {
	o := v.newObject(v.objectName(fr, op, i), object{kind: heap, op: op, born: fr.st.live})
	v.followContents(o, t)
	fr.st.live = fr.st.live.set(o, yes)
	return o
}

// maxCells is the size of the largest buffer whose contents are followed, if it is one of
// booleans or indices.
const maxCells = 1 << 12

func (v *verifier) followContents(o int, t ir.Type) {
	m, ok := t.(*ir.MemRefType)
	if !ok || m.Elem != ir.Type(ir.I1) && m.Elem != ir.Type(ir.Index) {
		return
	}
	if n, static := ir.NumElements(m.Shape); static && n <= maxCells {
		x := v.objects[o]
		x.cells, x.size, x.shape = v.cells, int(n), m.Shape
		v.cells += int(n)
	}
}

// once returns the object of an operation that reserves the same memory each time.
func (v *verifier) once(fr *frame, op *ir.Op) int {
	k := site{fr.path, op}
	o, ok := v.sites[k]
	if !ok {
		o = v.newObject(v.objectName(fr, op, 0), object{kind: stack, op: op})
		v.followContents(o, op.Result(0).Type())
		v.sites[k] = o
	}
	return o
}

// endScope ends the objects on the stack that were made inside an operation.
func (v *verifier) endScope(fr *frame, op *ir.Op) {
	for k, o := range v.sites {
		if v.objects[o].kind == stack && op.IsProperAncestorOf(k.op) {
			fr.st.live = fr.st.live.set(o, no)
		}
	}
}

// view returns what an operation that views x returns.
func (v *verifier) view(fr *frame, op *ir.Op, x value) value {
	x.partial = x.partial || !iface.IsCast(op)
	if !is(op, memref.Cast, memref.CollapseShape, memref.ExpandShape, memref.MemorySpaceCast, memref.Reshape, memref.Transpose, vector.TypeCast) && !sameElements(op) {
		x.part = yes
	}
	if iface.KeepsBaseAddress(op) {
		return x
	}
	m, _ := iface.ShiftedBase.Of(op)
	by := constant(m(op).Const)
	if s := m(op).Value; s != nil {
		by = v.get(fr, s)
	}
	switch key := identity(by); {
	case by == constant(0):
	case key == "" || x.shift == anyShift:
		x.shift = anyShift
	default:
		key = fmt.Sprint(x.shift, key)
		if _, ok := v.shifts[key]; !ok {
			v.shifts[key] = int64(len(v.shifts) + 1)
		}
		x.shift = v.shifts[key]
	}
	return x
}

// sameElements tells whether a view has as many elements as what it views, of the same type.
func sameElements(op *ir.Op) bool {
	from, to := op.Operand(0).Type(), op.Result(0).Type()
	a, ok := ir.ShapeOf(from)
	b, ok2 := ir.ShapeOf(to)
	if !ok || !ok2 || ir.ElementType(from) != ir.ElementType(to) {
		return false
	}
	n, static := ir.NumElements(a)
	m, static2 := ir.NumElements(b)
	return static && static2 && n == m
}

// use checks that what a memref points to lives.
func (v *verifier) use(fr *frame, op *ir.Op, x value) {
	if x.kind != pointer {
		v.refuse(op, "nothing is known about the buffer that it uses")
	}
	for _, t := range v.targets(x) {
		if v.objects[t.object].kind <= stack {
			v.require(fr, op, v.f.and(t.guard, fr.st.live.get(t.object).not()), "use after free")
		}
	}
}

// free checks that object o may be freed where c holds, by a memref that may be a part of it
// where part holds, and frees it.
func (v *verifier) free(fr *frame, op *ir.Op, o int, c, part lit) {
	v.require(fr, op, part, "free of a part")
	if v.objects[o].kind != heap {
		v.require(fr, op, c, "invalid free")
		return
	}
	live := fr.st.live.get(o)
	v.require(fr, op, v.f.and(c, live.not()), "double free")
	if c != no {
		fr.st.live = fr.st.live.set(o, v.f.and(live, c.not()))
	}
}

func (v *verifier) dealloc(fr *frame, op *ir.Op) bool {
	x := v.get(fr, op.Operand(0))
	for _, t := range v.targets(x) {
		v.free(fr, op, t.object, t.guard, v.f.and(t.guard, x.part))
	}
	return true
}

func (v *verifier) realloc(fr *frame, op *ir.Op) bool {
	v.use(fr, op, v.get(fr, op.Operand(0)))
	v.dealloc(fr, op)
	fr.values[op.Result(0)] = v.pointTo(v.allocate(fr, op, 0, op.Result(0).Type()))
	return true
}

// deallocUnlessRetained frees each buffer of which a condition holds, unless it is retained.
// The results tell of which retained buffers a condition holds. Buffers are the same that
// have the same base address: one that is seen at two addresses is two of them.
func (v *verifier) deallocUnlessRetained(fr *frame, op *ir.Op) bool {
	d := bufferization.DeallocOp{Op: op}
	type seen struct {
		object int
		shift  int64
	}
	var order []seen
	wanted, parts, kept := map[seen]lit{}, map[seen]lit{}, map[seen]lit{}
	for i, m := range d.MemRefs().Values() {
		c, x := v.truth(fr, d.Conditions().At(i)), v.get(fr, m)
		for _, t := range v.targets(x) {
			g, k := v.f.and(c, t.guard), seen{t.object, x.shift}
			if g == no {
				continue
			}
			if _, ok := wanted[k]; !ok {
				order = append(order, k)
			}
			wanted[k] = v.f.or(wanted[k], g)
			parts[k] = v.f.or(parts[k], v.f.and(g, x.part))
		}
	}
	for i, m := range d.Retained().Values() {
		owned, x := no, v.get(fr, m)
		for _, t := range v.targets(x) {
			for _, k := range order {
				same := v.f.and(v.sameBase(k.object, k.shift, t.object, x.shift), t.guard)
				owned = v.f.or(owned, v.f.and(same, wanted[k]))
				kept[k] = v.f.or(kept[k], same)
			}
		}
		fr.values[op.Result(i)] = truthOf(owned)
	}
	for n, k := range order {
		c := v.f.and(wanted[k], kept[k].not())
		for _, before := range order[:n] {
			// The address may be that of one that is freed already.
			if before.shift != k.shift || k.shift == anyShift {
				c = v.f.and(c, v.f.and(wanted[before], v.f.variable()).not())
			}
		}
		v.free(fr, op, k.object, c, v.f.and(parts[k], kept[k].not()))
	}
	return true
}

// assert continues only where the condition holds.
func (v *verifier) assert(fr *frame, op *ir.Op) bool {
	fr.cond = v.f.and(fr.cond, v.truth(fr, op.Operand(0)))
	return true
}

// address takes the base address of a buffer.
func (v *verifier) address(fr *frame, op *ir.Op) bool {
	fr.values[op.Result(0)] = v.get(fr, op.Operand(0))
	return true
}

// metadata returns the allocation and base address of a buffer, and numbers.
func (v *verifier) metadata(fr *frame, op *ir.Op) bool {
	x := v.get(fr, op.Operand(0))
	x.partial, x.part = true, no
	fr.values[op.Result(0)] = x
	for i := 1; i < op.NumResults(); i++ {
		fr.values[op.Result(i)] = v.fresh(number)
	}
	return true
}

func (v *verifier) getGlobal(fr *frame, op *ir.Op) bool {
	fr.values[op.Result(0)] = v.pointTo(v.global(op, fmt.Sprint(op.Attr("name"))))
	return true
}

// global returns the object of a global buffer, as an operation mentions it.
func (v *verifier) global(op *ir.Op, name string) int {
	k := site{"global:" + name, ir.SymbolTableOp(op)}
	o, ok := v.sites[k]
	if !ok {
		o = v.newObject(k.path, object{kind: global})
		v.sites[k] = o
	}
	return o
}

// cell returns the number of the element that is accessed, if the contents are followed.
func (v *verifier) cell(fr *frame, x value, indices ir.Operands) (int, bool) {
	o, ok := v.single(x)
	if !ok || x.partial || v.objects[o].size == 0 || len(indices) != len(v.objects[o].shape) {
		return 0, false
	}
	at := 0
	for i, size := range v.objects[o].shape {
		n := v.get(fr, indices.At(i))
		if n.kind != integer || n.number < 0 || n.number >= size {
			return 0, false
		}
		at = at*int(size) + int(n.number)
	}
	return v.objects[o].cells + at, true
}

func (v *verifier) load(fr *frame, op *ir.Op) bool {
	x := v.get(fr, op.Operand(0))
	if c, ok := v.cell(fr, x, op.Operands()[1:]); ok {
		if held := fr.st.memory.get(c); held != nil {
			v.use(fr, op, x)
			fr.values[op.Result(0)] = *held
			return true
		}
	}
	return false
}

func (v *verifier) store(fr *frame, op *ir.Op) bool {
	x := v.get(fr, op.Operand(1))
	if c, ok := v.cell(fr, x, op.Operands()[2:]); ok {
		held := v.get(fr, op.Operand(0))
		v.use(fr, op, x)
		fr.st.memory = fr.st.memory.set(c, &held)
		return true
	}
	return false
}

// written forgets the contents of what x points to.
func (v *verifier) written(fr *frame, x value) {
	for _, t := range v.targets(x) {
		o := v.objects[t.object]
		for i := o.cells; i < o.cells+o.size; i++ {
			fr.st.memory = fr.st.memory.set(i, v.forgotten(fr.st.memory.get(i)))
		}
	}
}

// holdsAddresses tells whether there are addresses in what x points to.
func (v *verifier) holdsAddresses(st state, x value) bool {
	for _, t := range v.targets(x) {
		o := v.objects[t.object]
		for i := o.cells; i < o.cells+o.size; i++ {
			if y := st.memory.get(i); y != nil && y.address() {
				return true
			}
		}
	}
	return false
}

func (v *verifier) dim(fr *frame, op *ir.Op) bool {
	x, i := v.get(fr, op.Operand(0)), v.get(fr, op.Operand(1))
	o, ok := v.single(x)
	if ok && !x.partial && i.kind == integer && i.number >= 0 && i.number < int64(len(v.objects[o].shape)) {
		fr.values[op.Result(0)] = constant(v.objects[o].shape[i.number])
		return true
	}
	v.set(fr, op.Result(0))
	return true
}

func (v *verifier) connective(fr *frame, op *ir.Op) bool {
	if op.Result(0).Type() != ir.Type(ir.I1) {
		return false
	}
	a, b := v.truth(fr, op.Operand(0)), v.truth(fr, op.Operand(1))
	l := v.f.and(a, b)
	if op.Is(arith.OrI) {
		l = v.f.or(a, b)
	} else if op.Is(arith.XOrI) {
		l = v.f.iff(a, b).not()
	}
	fr.values[op.Result(0)] = truthOf(l)
	return true
}

func (v *verifier) selectOp(fr *frame, op *ir.Op) bool {
	if op.Operand(0).Type() != ir.Type(ir.I1) {
		return false
	}
	fr.values[op.Result(0)] = v.choose(v.truth(fr, op.Operand(0)), v.get(fr, op.Operand(1)), v.get(fr, op.Operand(2)))
	return true
}

// castAddress casts between types that hold whole addresses.
func (v *verifier) castAddress(fr *frame, op *ir.Op) bool {
	whole := func(t ir.Type) bool { return t == ir.Type(ir.Index) || t == ir.Type(ir.I64) }
	if op.NumOperands() == 1 && op.NumResults() == 1 && whole(op.Operand(0).Type()) && whole(op.Result(0).Type()) {
		if x := v.get(fr, op.Operand(0)); x.address() {
			fr.values[op.Result(0)] = x
			return true
		}
	}
	return false
}

// compare decides comparisons of addresses by what they point to, and those of booleans.
// Comparisons of the same numbers depend on each other.
func (v *verifier) compare(fr *frame, op *ir.Op) bool {
	x, y := v.get(fr, op.Operand(0)), v.get(fr, op.Operand(1))
	attr, ok := op.Attr("predicate").(*ir.IntegerAttr)
	if !ok || op.Result(0).Type() != ir.Type(ir.I1) || x.kind == integer && y.kind == integer {
		return false
	}
	p := arith.IntPredicate(attr.Value)
	equality := p == arith.EQ || p == arith.NE
	var l lit
	switch {
	case equality && x.kind == pointer && y.kind == pointer:
		l = v.f.variable()
		if x.shift == y.shift && x.shift != anyShift {
			l = v.equalObjects(x.tree, y.tree)
		}
	case equality && x.kind == boolean && y.kind == boolean:
		l = v.f.iff(x.truth, y.truth)
	default:
		fr.values[op.Result(0)] = truthOf(v.compareNumbers(p, x, y))
		return true
	}
	if p == arith.NE {
		l = l.not()
	}
	fr.values[op.Result(0)] = truthOf(l)
	return true
}

// compareNumbers returns the condition of a comparison of numbers of which the identities
// are known. Of two numbers, one is the smaller one, just if they differ.
func (v *verifier) compareNumbers(p arith.IntPredicate, x, y value) lit {
	a, b := identity(x), identity(y)
	switch {
	case p == arith.EQ && x.kind == integer && y.kind == integer:
		if x == y {
			return yes
		}
		return no
	case a == "" || b == "":
		return v.f.variable()
	case p == arith.SGT || p == arith.SLE || p == arith.UGT || p == arith.ULE:
		a, b = b, a
	}
	about := func(what string) lit {
		return v.sameFor(what+min(a, b)+max(a, b), func() value { return v.fresh(boolean) }).truth
	}
	differs := no
	if a != b {
		differs = about("differs")
	}
	less := func(what string) lit {
		l := about(what)
		if a > b {
			l = l.not()
		}
		return v.f.and(differs, l)
	}
	switch p {
	case arith.EQ:
		return differs.not()
	case arith.NE:
		return differs
	case arith.SLT, arith.SGT:
		return less("less")
	case arith.SGE, arith.SLE:
		return less("less").not()
	case arith.ULT, arith.UGT:
		return less("below")
	case arith.UGE, arith.ULE:
		return less("below").not()
	}
	return v.f.variable()
}

// identity returns a text that is the same for values that are the same numbers; none for
// addresses.
func identity(x value) string {
	switch x.kind {
	case boolean:
		return " b" + strconv.Itoa(int(x.truth))
	case integer:
		return " i" + strconv.FormatInt(x.number, 10)
	case number, derived:
		return " o" + strconv.FormatInt(x.number, 10)
	}
	return ""
}

func (v *verifier) sameFor(key string, build func() value) value {
	x, ok := v.numbered[key]
	if !ok {
		x = build()
		v.numbered[key] = x
	}
	return x
}

// scalar returns the value of a result that is a number. What is computed twice from the
// same operands, without reading memory, is the same.
func (v *verifier) scalar(fr *frame, op *ir.Op, r *ir.Value) value {
	kind := number
	if r.Type() == ir.Type(ir.I1) {
		kind = boolean
	} else if !ir.IsIntOrIndex(r.Type()) {
		return v.fresh(number)
	}
	attr := iface.Constant(r)
	key := op.Name() + " " + r.Type().String()
	operands := make([]ir.Attribute, op.NumOperands())
	same, constants := op.NumRegions() == 0 && op.NumResults() == 1 && op.NumOperands() > 0 && iface.IsMemoryEffectFree(op), op.NumOperands() > 0
	for i := range op.NumOperands() {
		x, t := v.get(fr, op.Operand(i)), op.Operand(i).Type()
		switch {
		case x.kind == integer:
			operands[i] = op.Context().IntegerAttr(t, x.number)
		case x.kind == boolean && x.truth <= yes:
			operands[i] = op.Context().Bool(x.truth == yes)
		default:
			constants = false
		}
		id := identity(x)
		same = same && id != ""
		key += id + " " + t.String()
	}
	if fold := op.Def().Fold; attr == nil && constants && same && fold != nil {
		if out := fold(op, operands); len(out) == 1 {
			attr = out[0].Attr
		}
	}
	if n, ok := attr.(*ir.IntegerAttr); ok && n.Big == nil {
		switch {
		case kind != boolean:
			return constant(n.Value)
		case n.Value != 0:
			return truthOf(yes)
		}
		return truthOf(no)
	}
	if !same {
		return v.fresh(kind)
	}
	for _, a := range op.AllAttrs() {
		key += " " + a.Name + "=" + a.Value.String()
	}
	return v.sameFor(key, func() value { return v.fresh(kind) })
}
