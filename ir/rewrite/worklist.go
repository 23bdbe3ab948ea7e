package rewrite

import (
	"freehold/internal/slab"
	"freehold/ir"
)

// worklist is a stack of operations in which each occurs at most once. The mark
// of an operation is its position, plus one.
type worklist struct{ list slab.List[*ir.Op] }

func (w *worklist) push(op *ir.Op) {
	if op.Mark() != 0 {
		return
	}
	w.list.Append(op)
	op.SetMark(uint32(w.list.Len()))
}

// pop removes the operation that was pushed last, and returns nil if there is
// none.
func (w *worklist) pop() *ir.Op {
	for w.list.Len() > 0 {
		if op := w.list.Pop(); op != nil {
			op.SetMark(0)
			return op
		}
	}
	return nil
}

func (w *worklist) remove(op *ir.Op) {
	if m := op.Mark(); m != 0 {
		*w.list.At(int(m - 1)) = nil
		op.SetMark(0)
	}
}

// len returns how many operations there are, and places of removed ones.
func (w *worklist) len() int { return w.list.Len() }

func (w *worklist) reverse() {
	for i, j := 0, w.list.Len()-1; i < j; i, j = i+1, j-1 {
		x, y := w.list.At(i), w.list.At(j)
		*x, *y = *y, *x
	}
	for i := range w.list.Len() {
		if op := *w.list.At(i); op != nil {
			op.SetMark(uint32(i + 1))
		}
	}
}

func (w *worklist) clear() {
	for w.pop() != nil {
	}
}
