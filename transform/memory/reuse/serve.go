package reuse

import (
	"cmp"
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/ir"
)

// How a freed buffer serves for another one, the best first.
const (
	servesNot = iota
	servesAsItIs
	servesAsView
	servesInBytes
)

// naturalAlignment is what an allocation is aligned to that asks for nothing, whatever its elements are.
const naturalAlignment = 16

// inBytes is a buffer whose memory serves for other elements, too.
type inBytes struct {
	v     *ir.Value
	views []*ir.Op // of what takes its place
}

// best returns the place of the freed buffer that serves best for a new one: that needs the simplest view, and of these
// is the smallest. It is -1 if none serves.
func (r *reuser) best(freed []*ir.Op, alloc *ir.Op) int {
	type candidate struct {
		at, how int
		bytes   int64
	}
	var list []candidate
	for i, free := range freed {
		if how := r.serves(free, alloc); how != servesNot {
			list = append(list, candidate{i, how, bytesOf(memref.DeallocOp{Op: free}.MemRef())})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Or(a.how-b.how, cmp.Compare(a.bytes, b.bytes)) })
	for _, x := range list {
		free := freed[x.at]
		if shape, _ := ir.ShapeOf(memref.DeallocOp{Op: free}.MemRef().Type()); !ir.IsStaticShape(shape) && !r.balance.mayKeep(free) {
			continue
		}
		if r.pressure == nil || r.pressure.mayServe(memref.DeallocOp{Op: free}.MemRef(), alloc.Result(0)) {
			return x.at
		}
	}
	return -1
}

// serves tells how a freed buffer can serve instead of a new one.
func (r *reuser) serves(free, alloc *ir.Op) int {
	v, w := memref.DeallocOp{Op: free}.MemRef(), alloc.Result(0)
	if len(r.parts[v]) >= mostParts {
		return servesNot
	}
	from, to := v.Type().(*ir.MemRefType), w.Type().(*ir.MemRefType)
	// What becomes a view of bytes must be freed where that is seen.
	if from == to && slices.Equal(v.DefiningOp().Operands().Values(), alloc.Operands().Values()) && (r.bytesOf[v] == nil || r.freedOnce(w) != nil) {
		return servesAsItIs
	}
	if !r.Static || from.Space != to.Space || from.Layout != nil || to.Layout != nil || !ir.IsStaticShape(from.Shape) ||
		bytesOf(v) < bytesOf(w) || bytesOf(w) == 0 || r.freedOnce(w) == nil {
		return servesNot
	}
	switch {
	case from.Elem == to.Elem:
		return servesAsView
	case storageOf(v) > 0 && storageOf(w) > 0 && !mayDecideFrees(from) && !mayDecideFrees(to):
		return servesInBytes
	}
	return servesNot
}

// mayDecideFrees tells whether addresses or conditions may be in a buffer, by which frees are decided: who proves them right
// follows these only if nothing else is in it.
func mayDecideFrees(t *ir.MemRefType) bool {
	return t.Elem == ir.Type(ir.Index) || t.Elem == ir.Type(ir.I1)
}

// serve puts a freed buffer in place of a new one, and returns the operation after that.
func (r *reuser) serve(free, alloc *ir.Op) (next *ir.Op) {
	how := r.serves(free, alloc)
	v, w := memref.DeallocOp{Op: free}.MemRef(), alloc.Result(0)
	align(v.DefiningOp(), alloc)
	if how == servesAsItIs {
		r.join(v, w)
		free.Erase()
		w.ReplaceAllUsesWith(v)
		next = alloc.Next()
		alloc.Erase()
		return next
	}
	after := r.freedOnce(w)
	r.join(v, w)
	free.MoveBefore(after)
	after.Erase()
	b := ir.NewBuilder(alloc.Context())
	b.Loc = alloc.Loc()
	b.SetBefore(alloc)
	t := w.Type().(*ir.MemRefType)
	if how == servesAsView {
		w.ReplaceAllUsesWith(memref.NewReinterpretCast(b, t, v, contiguous(t.Shape)))
	} else {
		view := memref.NewView(b, t, v, arith.ConstantIndex(b, 0))
		w.ReplaceAllUsesWith(view)
		r.inBytes(v, view.DefiningOp())
	}
	// What freed the buffer may have been the next one.
	next = alloc.Next()
	alloc.Erase()
	return next
}

// inBytes notes a view of a buffer of other elements.
func (r *reuser) inBytes(v *ir.Value, view *ir.Op) {
	x := r.bytesOf[v]
	if x == nil {
		x = &inBytes{v: v}
		r.bytes, r.bytesOf[v] = append(r.bytes, x), x
	}
	x.views = append(x.views, view)
}

// finish makes allocations of bytes of those that serve for other elements.
func (r *reuser) finish() {
	for _, x := range r.bytes {
		alloc := x.v.DefiningOp()
		b := ir.NewBuilder(alloc.Context())
		b.Loc = alloc.Loc()
		b.SetBefore(alloc)
		t := x.v.Type().(*ir.MemRefType)
		bytes := memref.NewAlloc(b, alloc.Context().MemRefOf([]int64{storageOf(x.v)}, ir.I8, nil, t.Space), nil, max(naturalAlignment, alignmentOf(alloc)))
		view := memref.NewView(b, t, bytes, arith.ConstantIndex(b, 0))
		x.v.ReplaceUsesIf(bytes, func(u *ir.Use) bool { return u.Owner().Is(memref.Dealloc) || slices.Contains(x.views, u.Owner()) })
		x.v.ReplaceAllUsesWith(view)
		alloc.Erase()
	}
}
