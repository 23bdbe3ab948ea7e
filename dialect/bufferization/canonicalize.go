package bufferization

import (
	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// foldToTensor undoes a to_memref, if nothing in between could write the buffer.
func foldToTensor(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if m := (ToTensorOp{op}).MemRef().DefinedBy(ToMemref); m != nil && m.Next() == op {
		return ir.FoldValue(ToMemrefOp{m}.Tensor())
	}
	return nil
}

func foldToMemref(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if t := (ToMemrefOp{op}).Tensor().DefinedBy(ToTensor); t != nil && (ToTensorOp{t}).MemRef().Type() == op.Result(0).Type() {
		return ir.FoldValue(ToTensorOp{t}.MemRef())
	}
	return nil
}

func foldClone(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if memref.FoldCasts(op, nil) {
		return ir.FoldedInPlace()
	}
	return nil
}

// dimOfAllocTensor replaces a size of an allocated tensor by what it was given.
func dimOfAllocTensor(r *rewrite.Rewriter, op *ir.Op) bool {
	o := tensor.DimOp{Op: op}
	alloc := o.Source().DefinedBy(AllocTensor)
	i, ok := o.ConstantIndex()
	if alloc == nil || !ok {
		return false
	}
	a := AllocTensorOp{alloc}
	t := a.Type()
	if t == nil || i < 0 || i >= int64(len(t.Shape)) || t.Shape[i] != ir.Dynamic {
		return false
	}
	r.At(op)
	if c := a.CopyOf(); c != nil {
		r.Replace(op, tensor.NewDim(r.Builder, c, i))
		return true
	}
	r.Replace(op, a.DynamicSizes().At(ir.NumDynamic(t.Shape[:i])))
	return true
}

// staticAllocTensor moves constant sizes into the type.
func staticAllocTensor(r *rewrite.Rewriter, op *ir.Op) bool {
	o := AllocTensorOp{op}
	t := o.Type()
	if t == nil || o.CopyOf() != nil {
		return false
	}
	shape, sizes := shapes.FoldConstantSizes(t.Shape, o.DynamicSizes().Values())
	if len(sizes) == len(o.DynamicSizes()) {
		return false
	}
	r.At(op)
	v := NewAllocTensor(r.Builder, r.Context().RankedTensorOf(shape, t.Elem, t.Encoding), sizes, nil, nil)
	r.Replace(op, tensor.NewCast(r.Builder, t, v))
	return true
}

// dimOfToTensor asks the buffer for a size.
func dimOfToTensor(r *rewrite.Rewriter, op *ir.Op) bool {
	o := tensor.DimOp{Op: op}
	t := o.Source().DefinedBy(ToTensor)
	if t == nil {
		return false
	}
	s := r.State(memref.Dim)
	s.Operands = []*ir.Value{ToTensorOp{t}.MemRef(), o.Index()}
	s.Types = []ir.Type{ir.Index}
	r.ReplaceWithNew(op, s)
	return true
}

// dimOfToMemref asks the tensor for a size.
func dimOfToMemref(r *rewrite.Rewriter, op *ir.Op) bool {
	o := memref.DimOp{Op: op}
	m := o.Source().DefinedBy(ToMemref)
	if m == nil {
		return false
	}
	s := r.State(tensor.Dim)
	s.Operands = []*ir.Value{ToMemrefOp{m}.Tensor(), o.Index()}
	s.Types = []ir.Type{ir.Index}
	r.ReplaceWithNew(op, s)
	return true
}

// toMemrefOfCast takes the buffer of the tensor before a cast.
func toMemrefOfCast(r *rewrite.Rewriter, op *ir.Op) bool {
	c := ToMemrefOp{op}.Tensor().DefinedBy(tensor.Cast)
	if c == nil {
		return false
	}
	src, ok := tensor.CastOp{Op: c}.Source().Type().(*ir.RankedTensorType)
	if !ok {
		return false
	}
	t := r.Context().MemRef(src.Shape, src.Elem)
	to, ok := op.Result(0).Type().(*ir.MemRefType)
	if ok && to.Space != nil {
		t = r.Context().MemRefOf(src.Shape, src.Elem, to.Layout, to.Space)
	}
	if !memref.CastCompatible(t, op.Result(0).Type()) {
		return false
	}
	r.At(op)
	m := NewToMemref(r.Builder, t, tensor.CastOp{Op: c}.Source())
	if o := (ToMemrefOp{op}); ok && to.Space != nil && o.ReadOnly() {
		m.DefiningOp().SetAttr(ReadOnlyAttr, op.Attr(ReadOnlyAttr))
	}
	r.Replace(op, memref.NewCast(r.Builder, op.Result(0).Type(), m))
	return true
}

// mostReads limits the uses of a buffer of which it is looked for one that writes.
const mostReads = 64

// onlyRead tells whether nobody writes to the buffers that a tensor is given as, as they say, or as all that uses them only reads elements.
func onlyRead(t *ir.Value) bool {
	n := 0
	for u := t.FirstUse(); u != nil; u = u.Next() {
		if n++; n > mostReads {
			return false
		}
		if !u.Owner().Is(ToMemref) || u.Owner().Attr(ReadOnlyAttr) != nil {
			continue
		}
		for use := u.Owner().Result(0).FirstUse(); use != nil; use = use.Next() {
			if n++; n > mostReads || !use.Owner().Is(memref.Load) && !use.Owner().Is(memref.Dim) {
				return false
			}
		}
	}
	return true
}

// loadOfToMemref reads the tensor itself, which isn't what was written to its buffer since.
func loadOfToMemref(r *rewrite.Rewriter, op *ir.Op) bool {
	o := memref.LoadOp{Op: op}
	m := o.MemRef().DefinedBy(ToMemref)
	if m == nil || !onlyRead(ToMemrefOp{m}.Tensor()) {
		return false
	}
	r.At(op)
	r.Replace(op, tensor.NewExtract(r.Builder, ToMemrefOp{m}.Tensor(), o.Indices().Values()...))
	return true
}

// FoldToMemrefOfToTensor replaces a to_memref of a to_tensor by the buffer, cast to
// the wanted type, or copied where a cast might fail.
func FoldToMemrefOfToTensor(r *rewrite.Rewriter, op *ir.Op) bool {
	t := ToMemrefOp{op}.Tensor().DefinedBy(ToTensor)
	if t == nil {
		return false
	}
	buffer, want := ToTensorOp{t}.MemRef(), op.Result(0).Type()
	if buffer.Type() == want {
		r.Replace(op, buffer)
		return true
	}
	_, ok1 := buffer.Type().(*ir.MemRefType)
	to, ok2 := want.(*ir.MemRefType)
	r.At(op)
	switch {
	case ok1 && ok2:
		v := CastOrRealloc(r.Builder, buffer, to, 0)
		if v == nil {
			return false
		}
		r.Replace(op, v)
		return true
	case !ok1 && ok2, !memref.CastCompatible(buffer.Type(), want):
		return false
	}
	r.Replace(op, memref.NewCast(r.Builder, want, buffer))
	return true
}

// CastOrRealloc returns the buffer with another type: by a cast if that can't
// fail, else by a copy to a new allocation. It is nil if the types don't allow
// that.
func CastOrRealloc(b *ir.Builder, v *ir.Value, to *ir.MemRefType, alignment int64) *ir.Value {
	from, ok := v.Type().(*ir.MemRefType)
	if !ok || from.Elem != to.Elem || from.Space != to.Space || len(from.Shape) != len(to.Shape) {
		return nil
	}
	if memref.CastNeverFails(from, to) {
		return memref.NewCast(b, to, v)
	}
	var sizes []*ir.Value
	for i, n := range to.Shape {
		if n == ir.Dynamic {
			sizes = append(sizes, memref.NewDim(b, v, i))
		}
	}
	copied := memref.NewAlloc(b, to, sizes, alignment)
	memref.NewCopy(b, v, copied)
	return copied
}

// findDealloc returns the operation that frees v, or nil, and false if there are
// several.
func findDealloc(v *ir.Value) (*ir.Op, bool) {
	var found *ir.Op
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if !interfaces.HasEffect(u.Owner(), interfaces.Free, v) {
			continue
		}
		if found != nil {
			return nil, false
		}
		found = u.Owner()
	}
	return found, true
}

// simplifyClone removes clones that nothing uses, and clones where either they or
// their source are freed in the same block.
func simplifyClone(r *rewrite.Rewriter, op *ir.Op) bool {
	if !op.HasUses() {
		r.Erase(op)
		return true
	}
	source := CloneOp{op}.Input()
	out := op.Result(0)
	if source.Type() != out.Type() && !memref.CastCompatible(source.Type(), out.Type()) {
		return false
	}
	canonical, part := source, false
	var t ir.Trail
	for def := canonical.DefiningOp(); def != nil && !t.Returns(canonical); def = canonical.DefiningOp() {
		view, ok := interfaces.ViewLike.Of(def)
		if !ok {
			break
		}
		part = part || memref.Narrows(def)
		canonical = view(def)
	}
	cloneFree, ok1 := findDealloc(out)
	sourceFree, ok2 := findDealloc(canonical)
	if !ok1 || !ok2 {
		return false
	}
	if cloneFree != nil && sourceFree != nil && cloneFree.Block() == sourceFree.Block() {
		return false
	}
	var redundant *ir.Op
	switch {
	case cloneFree != nil && cloneFree.Block() == op.Block():
		redundant = cloneFree
	case sourceFree != nil && sourceFree.Block() == op.Block() && !part:
		// Whoever frees the clone frees the source then, which must be whole for that.
		redundant = sourceFree
	default:
		return false
	}
	if redundant.NumResults() > 0 {
		return false // it does more than free
	}
	for x := op.Next(); x != redundant; x = x.Next() {
		if x == nil {
			return false
		}
		effects, _ := interfaces.EffectsOf(x)
		for _, e := range effects {
			if e.Kind == interfaces.Free {
				return false
			}
		}
		// A loop, say, may free what it got as its own.
		if freesOthers(x) && (redundant == cloneFree || usedOtherwise(source, canonical, op, sourceFree)) {
			return false
		}
	}
	if source.Type() != out.Type() {
		r.At(op)
		source = memref.NewCast(r.Builder, out.Type(), source)
	}
	r.Replace(op, source)
	r.Erase(redundant)
	return true
}

// freesOthers tells whether something in op's regions frees a buffer that wasn't allocated there.
func freesOthers(op *ir.Op) bool {
	found := false
	if op.NumRegions() == 0 {
		return false
	}
	op.Walk(func(x *ir.Op) bool {
		effects, _ := interfaces.EffectsOf(x)
		for _, e := range effects {
			if e.Kind != interfaces.Free {
				continue
			}
			v := e.Value(x)
			local := v != nil && v.DefiningOp() != nil && op.IsAncestorOf(v.DefiningOp()) && interfaces.HasEffect(v.DefiningOp(), interfaces.Allocate, v)
			found = found || !local
		}
		if m, ok := interfaces.ConditionalFree.Of(x); ok {
			_, n := m(x)
			found = found || n > 0
		}
		return !found
	})
	return found
}

// usedOtherwise tells whether a buffer may be used after clone by one of its names from source up to the canonical one,
// other than by free: directly, or by a view.
func usedOtherwise(source, canonical *ir.Value, clone, free *ir.Op) bool {
	for v := source; ; {
		for u := v.FirstUse(); u != nil; u = u.Next() {
			x := u.Owner()
			if x == clone || x == free || v != source && x == source.DefiningOp() {
				continue
			}
			at := clone.Block().AncestorIn(x)
			if at == nil || !at.IsBefore(clone) {
				return true
			}
			for i := range x.NumResults() {
				if r := x.Result(i); ir.IsMemRef(r.Type()) && r != source && !interfaces.HasEffect(x, interfaces.Allocate, r) {
					return true
				}
			}
		}
		if v == canonical {
			return false
		}
		view, _ := interfaces.ViewLike.Of(v.DefiningOp())
		v = view(v.DefiningOp())
	}
}

func deallocPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "DeallocRemoveDuplicateDeallocMemrefs", Rewrite: duplicateMemrefs},
		{Name: "DeallocRemoveDuplicateRetainedMemrefs", Rewrite: duplicateRetained},
		{Name: "EraseEmptyDealloc", Rewrite: emptyDealloc},
		{Name: "EraseAlwaysFalseDealloc", Rewrite: falseConditions},
		{Name: "SkipExtractMetadataOfAlloc", Rewrite: skipMetadata},
		{Name: "RemoveAllocDeallocPairWhenNoOtherUsers", Rewrite: unusedAllocations},
	}
}

// setDealloc replaces buffers and conditions, and tells whether that changes
// anything.
func setDealloc(r *rewrite.Rewriter, o DeallocOp, memrefs, conditions []*ir.Value) bool {
	if o.MemRefs().Equal(memrefs) && o.Conditions().Equal(conditions) {
		return false
	}
	r.Modify(o.Op, func() { o.Set(memrefs, conditions) })
	return true
}

// fewOperands is up to how many operands are compared with each other.
const fewOperands = 8

// hasDuplicates tells whether a value is among the operands twice.
func hasDuplicates(operands ir.Operands) bool {
	if len(operands) <= fewOperands {
		for i := range operands {
			for j := range i {
				if operands.At(i) == operands.At(j) {
					return true
				}
			}
		}
		return false
	}
	seen := make(map[*ir.Value]bool, len(operands))
	for i := range operands {
		seen[operands.At(i)] = true
	}
	return len(seen) < len(operands)
}

// duplicateMemrefs lists each buffer once, with the disjunction of its conditions.
func duplicateMemrefs(r *rewrite.Rewriter, op *ir.Op) bool {
	o := DeallocOp{op}
	allMemRefs, allConditions := o.MemRefs(), o.Conditions()
	if !hasDuplicates(allMemRefs) {
		return false
	}
	index := map[*ir.Value]int{}
	var memrefs, conditions []*ir.Value
	r.At(op)
	for i := range allMemRefs {
		m, c := allMemRefs.At(i), allConditions.At(i)
		j, seen := index[m]
		if !seen {
			index[m] = len(memrefs)
			memrefs, conditions = append(memrefs, m), append(conditions, c)
			continue
		}
		if conditions[j] != c {
			conditions[j] = arith.New(r.Builder, arith.OrI, conditions[j], c)
		}
	}
	return setDealloc(r, o, memrefs, conditions)
}

// duplicateRetained lists each retained buffer once.
func duplicateRetained(r *rewrite.Rewriter, op *ir.Op) bool {
	o := DeallocOp{op}
	all := o.Retained()
	if !hasDuplicates(all) {
		return false
	}
	index := map[*ir.Value]int{}
	var retained []*ir.Value
	position := make([]int, len(all))
	for i := range all {
		v := all.At(i)
		j, seen := index[v]
		if !seen {
			j = len(retained)
			index[v] = j
			retained = append(retained, v)
		}
		position[i] = j
	}
	r.At(op)
	n := NewDealloc(r.Builder, o.MemRefs().Values(), o.Conditions().Values(), retained)
	values := make([]*ir.Value, len(position))
	for i, j := range position {
		values[i] = n.Result(j)
	}
	r.Replace(op, values...)
	return true
}

// emptyDealloc removes an operation that frees nothing.
func emptyDealloc(r *rewrite.Rewriter, op *ir.Op) bool {
	if len((DeallocOp{op}).MemRefs()) > 0 {
		return false
	}
	r.At(op)
	values := make([]*ir.Value, op.NumResults())
	if len(values) > 0 {
		no := arith.ConstantBool(r.Builder, false)
		for i := range values {
			values[i] = no
		}
	}
	r.Replace(op, values...)
	return true
}

// filterDealloc keeps the buffers that the predicate chooses.
func filterDealloc(r *rewrite.Rewriter, o DeallocOp, keep func(i int) bool) bool {
	memrefs, conditions := o.MemRefs(), o.Conditions()
	n := 0
	for n < len(memrefs) && keep(n) {
		n++
	}
	if n == len(memrefs) {
		return false
	}
	keptMemRefs, keptConditions := memrefs[:n].Values(), conditions[:n].Values()
	for i := n + 1; i < len(memrefs); i++ {
		if keep(i) {
			keptMemRefs, keptConditions = append(keptMemRefs, memrefs.At(i)), append(keptConditions, conditions.At(i))
		}
	}
	return setDealloc(r, o, keptMemRefs, keptConditions)
}

func falseConditions(r *rewrite.Rewriter, op *ir.Op) bool {
	o := DeallocOp{op}
	conditions := o.Conditions()
	return filterDealloc(r, o, func(i int) bool {
		c, ok := ir.ConstantInt(conditions.At(i))
		return !ok || c != 0
	})
}

// skipMetadata frees an allocation itself rather than its base buffer.
func skipMetadata(r *rewrite.Rewriter, op *ir.Op) bool {
	o := DeallocOp{op}
	all := o.MemRefs()
	var memrefs []*ir.Value
	for i := range all {
		meta := all.At(i).DefinedBy(memref.ExtractStridedMetadata)
		if meta == nil {
			continue
		}
		source := memref.ExtractStridedMetadataOp{Op: meta}.Source()
		if def := source.DefiningOp(); def != nil && interfaces.HasEffect(def, interfaces.Allocate, source) {
			if memrefs == nil {
				memrefs = all.Values()
			}
			memrefs[i] = source
		}
	}
	return memrefs != nil && setDealloc(r, o, memrefs, o.Conditions().Values())
}

// unusedAllocations removes allocations that are only freed.
func unusedAllocations(r *rewrite.Rewriter, op *ir.Op) bool {
	o := DeallocOp{op}
	var unused []*ir.Op
	memrefs := o.MemRefs()
	changed := filterDealloc(r, o, func(i int) bool {
		m := memrefs.At(i)
		def := m.DefiningOp()
		if def == nil || !m.HasOneUse() {
			return true
		}
		for _, other := range def.Results().Values() { // such as the token of an asynchronous allocation
			if other != m && other.HasUses() {
				return true
			}
		}
		effects, _ := interfaces.EffectsOf(def)
		if len(effects) != 1 || effects[0].Kind != interfaces.Allocate || effects[0].Value(def) != m {
			return true
		}
		unused = append(unused, def)
		return false
	})
	for _, x := range unused {
		r.Erase(x)
	}
	return changed
}
