package reuse

import (
	"slices"

	"freehold/dialect/linalg"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// ReuseOptions say what [ReuseBuffers] does.
type ReuseOptions struct {
	// InPlace lets operations write over operands that die there.
	InPlace bool
	// Rotate lets loops use two buffers in turn instead of allocating one in each iteration.
	Rotate bool
	// Static lets freed buffers of static size serve others; [PlanMemory] does that better.
	Static bool
}

// ReuseBuffers lets buffers that are no longer needed hold other contents, in a function in
// which every buffer is freed: the pass reuse-buffers.
//
//   - A structured operation that writes each element of a new buffer once, and reads an operand
//     at the same place, which dies there, writes over that operand. Where it writes a part of a buffer, the
//     operand is made there, unless the function would need more memory at a time then. The operand may come from
//     elsewhere, such as from the iteration before, if it is freed in the block; a copy goes then.
//   - A loop that copies in each iteration what it hands on, and frees it but in the first one, copies before that.
//   - A loop that allocates a buffer in each iteration and frees the one of the iteration before uses that one
//     again, or two in turn, unless the function would need more memory at a time then.
//   - A buffer that is freed serves the next one in its block that has the same type and sizes, or, if both are
//     static, is no larger: as another view of it, or, if its elements are others, of the bytes of both. The function
//     doesn't need more memory at a time then, whatever the sizes are that aren't known. One of such a size that is freed
//     before a loop serves for one that each iteration allocates and frees.
//
// It returns how many operations work in place, and how many buffers serve again. Near-linear
// in the uses of the buffers.
func ReuseBuffers(fn *ir.Op, calls *analysis.CallSummaries, o ReuseOptions) (inPlace, served int) {
	if o.Rotate {
		ownFromStart(fn, calls)
		served = serveInLoops(fn, calls)
	}
	r := &reuser{ReuseOptions: o, buffers: analysis.NewBuffers(fn, analysis.BufferOptions{Calls: calls}),
		into: map[*ir.Value]*ir.Value{}, parts: map[*ir.Value][]*ir.Value{}, bytesOf: map[*ir.Value]*inBytes{}, first: map[*ir.Value]*ir.Op{}}
	if o.Static {
		r.pressure = pressureOf(analysis.NewLifetimes(fn), r.buffers)
	}
	blocks := blocksIn(fn)
	slices.Reverse(blocks) // what is in loops comes first
	for _, b := range blocks {
		r.block(b)
	}
	r.finish()
	if o.InPlace {
		r.overwritten += handOver(fn, calls)
	}
	if o.Rotate {
		// Operations that work in place need less memory at a time, which may leave room.
		served += serveInLoops(fn, calls) + rotateLoops(fn, calls)
	}
	if o.InPlace {
		r.overwritten += intoParts(fn, calls)
	}
	return r.overwritten, served + r.served
}

// intoParts lets operations that write parts of other buffers, or what has another layout, element by element, write over
// an operand that dies there: that is made where they write.
func intoParts(fn *ir.Op, calls *analysis.CallSummaries) int {
	if !slices.ContainsFunc(blocksIn(fn), func(b *ir.Block) bool {
		for op := range b.Ops() {
			if len(elementwiseIntoOld(op)) > 0 {
				return true
			}
		}
		return false
	}) {
		return 0
	}
	n, _ := inParts(fn, calls, nil, false, elementwiseIntoOld)
	return n
}

// elementwiseIntoOld is elementwise for an operation whose only target is no allocation.
func elementwiseIntoOld(op *ir.Op) []copied {
	return slices.DeleteFunc(elementwise(op), func(m copied) bool { return allocation(m.target) != nil })
}

// elementwise returns pairs of an operand that an operation reads and one of the same shape that it writes, each element of
// both once and at the same time; none if it writes several.
func elementwise(op *ir.Op) (out []copied) {
	maps := interfaces.IndexingMaps(op)
	m, ok := interfaces.DestinationStyle.Of(op)
	if !ok || len(maps) != op.NumOperands() || op.NumResults() > 0 || !interfaces.HasBufferSemantics(op) {
		return nil
	}
	if _, isCopy := copyOf(op); isCopy {
		return nil
	}
	start, n := m(op)
	for k := start; k < start+n; k++ {
		w := op.Operand(k)
		if !maps[k].IsPermutation() || (linalg.StructuredOp{Op: op}).ReadsInit(op.OperandUse(k)) || n > 1 {
			continue
		}
		shape, _ := ir.ShapeOf(w.Type())
		for i := range start {
			v := op.Operand(i)
			from, ranked := ir.ShapeOf(v.Type())
			same := ranked && v != w && slices.Equal(from, shape) && ir.ElementType(v.Type()) == ir.ElementType(w.Type())
			for j := range start {
				same = same && (op.Operand(j) != v || sameElement(maps[j], maps[k], w.Type()))
			}
			if same {
				out = append(out, copied{v, w})
			}
		}
	}
	return out
}

// mostFreed limits how many freed buffers wait for another use: the last ones do.
const mostFreed = 64

// mostParts limits how many buffers one is in place of, whose uses are looked at for each.
const mostParts = 64

// reuser works on one function.
type reuser struct {
	ReuseOptions
	buffers *analysis.Buffers
	// into holds, for buffers that are gone, the one that is in their place; parts the other
	// way around. The analysis knows names by what they were.
	into  map[*ir.Value]*ir.Value
	parts map[*ir.Value][]*ir.Value
	// pressure is nil if static sizes aren't looked at.
	pressure *pressure
	// balance is that of the block that is looked at, for sizes that aren't known.
	balance *balance
	// bytes are the buffers that are views of bytes in the end, of which others have views already.
	bytes []*inBytes
	// bytesOf finds them.
	bytesOf map[*ir.Value]*inBytes
	// first holds operations that use buffers early in the block, so that one that many operations compute into is looked at once.
	first map[*ir.Value]*ir.Op
	// overwritten counts operations that work in place, served the buffers that another one is in place of.
	overwritten, served int
}

// only returns the buffer that a value is, if there is just one.
func (r *reuser) only(v *ir.Value) (*ir.Value, bool) {
	t, ok := r.buffers.Only(v)
	for ok && r.into[t] != nil {
		t = r.into[t]
	}
	return t, ok
}

// uses calls fn for each use of a buffer by any name.
func (r *reuser) uses(v *ir.Value, fn func(u *ir.Use)) {
	r.buffers.Uses(v, fn)
	for _, w := range r.parts[v] {
		r.buffers.Uses(w, fn)
	}
}

// escapes returns the ways on which a buffer leaves.
func (r *reuser) escapes(v *ir.Value) analysis.Escape {
	ways := r.buffers.Escapes(v)
	for _, w := range r.parts[v] {
		ways |= r.buffers.Escapes(w)
	}
	return ways
}

// join notes that a buffer is in place of another one.
func (r *reuser) join(v, w *ir.Value) {
	r.into[w] = v
	r.parts[v] = append(append(r.parts[v], w), r.parts[w]...)
	delete(r.parts, w)
	if r.pressure != nil {
		r.pressure.serve(v, w)
	}
}

func (r *reuser) block(b *ir.Block) {
	var freed []*ir.Op // frees of buffers that nothing else is in
	r.balance = newBalance()
	for op := b.First(); op != nil; {
		next := op.Next()
		switch {
		case r.InPlace && r.inPlace(op):
			r.overwritten++
			// What freed the operand may have been the next one.
			next = op.Next()
		case op.Is(memref.Dealloc) && r.looksAt(memref.DeallocOp{Op: op}.MemRef()) && r.isFree(op):
			if len(freed) == mostFreed {
				freed = slices.Delete(freed, 0, 1)
			}
			freed = append(freed, op)
		case op.Is(memref.Alloc) && r.looksAt(op.Result(0)):
			if i := r.best(freed, op); i >= 0 {
				r.balance.remove(freed[i])
				next = r.serve(freed[i], op)
				freed = slices.Delete(freed, i, i+1)
				r.served++
			}
		case op.NumRegions() > 0 && len(freed) > 0:
			freed = r.serveLoop(op, freed)
			next = op.Next()
		}
		if op.Block() != nil {
			r.balance.add(op)
		}
		op = next
	}
}

// looksAt tells whether a buffer may serve for others, or another one for it.
func (r *reuser) looksAt(v *ir.Value) bool {
	shape, ranked := ir.ShapeOf(v.Type())
	return r.Static || ranked && !ir.IsStaticShape(shape)
}

// isFree tells whether an operation frees a buffer that is allocated in the same block, and that
// nothing uses later.
func (r *reuser) isFree(free *ir.Op) bool {
	v := memref.DeallocOp{Op: free}.MemRef()
	alloc := allocation(v)
	return alloc != nil && alloc.Is(memref.Alloc) && alloc.Block() == free.Block() &&
		onlyFree(v) == free && r.escapes(v) == 0 && r.diesBefore(v, free)
}

// diesBefore tells whether all uses of a buffer are before an operation of its block.
func (r *reuser) diesBefore(v *ir.Value, free *ir.Op) bool {
	ok := true
	r.uses(v, func(u *ir.Use) {
		user := free.Block().AncestorIn(u.Owner())
		ok = ok && user != nil && (user == free || user.IsBefore(free))
	})
	return ok
}

// freedOnce returns the operation that frees a buffer that doesn't leave the function, if it is
// the only one and in the same block.
func (r *reuser) freedOnce(v *ir.Value) *ir.Op {
	free := onlyFree(v)
	if free == nil || !free.Is(memref.Dealloc) || r.escapes(v) != 0 || !r.diesBefore(v, free) {
		return nil
	}
	return free
}

// inPlace lets an operation write over an operand, and tells whether it did so.
func (r *reuser) inPlace(op *ir.Op) bool {
	maps := interfaces.IndexingMaps(op)
	m, ok := interfaces.DestinationStyle.Of(op)
	if !ok || len(maps) != op.NumOperands() || op.NumResults() > 0 || !interfaces.HasBufferSemantics(op) {
		return false
	}
	start, n := m(op)
	for k := start; k < start+n; k++ {
		w := op.Operand(k)
		alloc := allocation(w)
		if alloc == nil || !alloc.Is(memref.Alloc) || alloc.Block() != op.Block() || !maps[k].IsPermutation() ||
			(linalg.StructuredOp{Op: op}).ReadsInit(op.OperandUse(k)) || !r.firstUsedBy(w, op) {
			continue
		}
		for i := range start {
			if op.Operand(i).Type() == w.Type() && sameElement(maps[i], maps[k], w.Type()) && r.replace(op, i, w, alloc) {
				return true
			}
		}
	}
	return false
}

// sameElement tells whether two maps into a buffer of a type lead to the same element: they have
// the same results but where there is only one index.
func sameElement(a, b *ir.AffineMap, t ir.Type) bool {
	shape, ok := ir.ShapeOf(t)
	if a == b || !ok || len(a.Results) != len(shape) || len(b.Results) != len(shape) {
		return a == b
	}
	for i, x := range a.Results {
		if x != b.Results[i] && shape[i] != 1 {
			return false
		}
	}
	return true
}

// firstUsedBy tells whether nothing uses an allocation of an operation's block before the operation,
// and the operation once. What uses it by another name comes after what gave it that name; in a loop,
// names from before are those of an iteration before.
func (r *reuser) firstUsedBy(w *ir.Value, op *ir.Op) bool {
	if f := r.first[w]; f != nil && f.Block() == op.Block() && f.IsBefore(op) {
		return false
	}
	uses := 0
	for u := w.FirstUse(); u != nil; u = u.Next() {
		switch user := op.Block().AncestorIn(u.Owner()); {
		case u.Owner() == op:
			uses++
		case user == op || user != nil && user.IsBefore(op):
			if f := r.first[w]; f == nil || f.Block() != op.Block() || user.IsBefore(f) {
				r.first[w] = user
			}
			return false
		}
	}
	return uses == 1
}

// coversAll tells whether a view of a buffer has all elements of it.
func coversAll(view, base *ir.Value) bool {
	a, ranked := ir.ShapeOf(view.Type())
	b, isRanked := ir.ShapeOf(base.Type())
	if !ranked || !isRanked || !ir.IsStaticShape(a) || !ir.IsStaticShape(b) || ir.ElementType(view.Type()) != ir.ElementType(base.Type()) {
		return false
	}
	n, ok := ir.NumElements(a)
	all, isOK := ir.NumElements(b)
	return ok && isOK && n == all
}

// replace puts operand i of an operation, if it dies there, in place of the buffer w that the
// operation writes.
func (r *reuser) replace(op *ir.Op, i int, w *ir.Value, alloc *ir.Op) bool {
	v := op.Operand(i)
	base, only := r.only(v)
	if !only || base == w || len(r.parts[base]) >= mostParts || r.escapes(base) != 0 {
		return false
	}
	source := allocation(base)
	if source == nil || !source.Is(memref.Alloc) || source.Block() != op.Block() {
		return false // before all uses are looked at, of which arguments may have many
	}
	free := onlyFree(base)
	if free == nil || !free.Is(memref.Dealloc) || !op.IsBefore(free) {
		return false
	}
	// Views only if they are all of the buffer, and what frees it can do that later, or the buffer can be a view instead.
	after := r.freedOnce(w)
	if v != base && !(coversAll(v, base) && (after != nil || isReshaped(v, base))) {
		return false
	}
	maps := interfaces.IndexingMaps(op)
	m, _ := interfaces.DestinationStyle.Of(op)
	start, _ := m(op)
	ok := true
	r.uses(base, func(u *ir.Use) {
		user := op.Block().AncestorIn(u.Owner())
		switch {
		case u.Owner() == op:
			// What is written to it by another result would be written over.
			ok = ok && u.Index() < start && u.Value() == v && sameElement(maps[u.Index()], maps[i], v.Type())
		case u.Owner() == free || user != nil && user.IsBefore(op):
		default:
			ok = false
		}
	})
	if !ok {
		return false
	}
	if v != base && after == nil {
		r.reshape(alloc, source, v, free)
		return true
	}
	align(source, alloc)
	r.join(base, w)
	if v == base {
		free.Erase()
	} else {
		free.MoveBefore(after)
		after.Erase()
	}
	w.ReplaceAllUsesWith(v)
	r.balance.remove(alloc)
	alloc.Erase()
	return true
}

// isReshaped tells whether a value is a buffer that others have only given another shape.
func isReshaped(v, base *ir.Value) bool {
	for ; ; v = v.DefiningOp().Operand(0) {
		t, ok := v.Type().(*ir.MemRefType)
		if !ok || t.Layout != nil || !ir.IsStaticShape(t.Shape) {
			return false
		}
		if v == base {
			return true
		}
		if op := v.DefiningOp(); op == nil || !op.Is(memref.CollapseShape) && !op.Is(memref.ExpandShape) {
			return false
		}
	}
}

// reshape puts an allocation in place of another one, which v is with another shape, and that of the allocation: what is left of it has its shape as a view. So what leaves a
// function is an allocation as before, and nobody has to free a view.
func (r *reuser) reshape(alloc, source *ir.Op, v *ir.Value, free *ir.Op) {
	base, w := source.Result(0), alloc.Result(0)
	r.balance.remove(source)
	r.balance.remove(alloc)
	align(alloc, source)
	r.join(w, base)
	free.Erase()
	alloc.MoveBefore(source)
	b := ir.NewBuilder(source.Context())
	b.SetBefore(source)
	back := w
	for x := v; x != base; x = x.DefiningOp().Operand(0) {
		b.Loc = x.DefiningOp().Loc()
		back = memref.NewSource(b, x.DefiningOp(), back)
	}
	v.ReplaceAllUsesWith(w)
	base.ReplaceAllUsesWith(back)
	source.Erase()
	for op := v.DefiningOp(); op != nil && !op.Result(0).HasUses() && interfaces.IsMemoryEffectFree(op); {
		next := op.Operand(0).DefiningOp()
		op.Erase()
		op = next
	}
}
