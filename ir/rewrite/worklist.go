package rewrite

import (
	"freehold/internal/slab"
	"freehold/ir"
)

// worklist is a stack of operations in which each occurs at most once. The mark
// of an operation is its position, plus one.
type worklist struct{ list []*ir.Op }

func (w *worklist) push(op *ir.Op) {
	if op.Mark() != 0 {
		return
	}
	w.list = slab.Append(w.list, op)
	op.SetMark(uint32(len(w.list)))
}

// pop removes the operation that was pushed last, and returns nil if there is
// none.
func (w *worklist) pop() *ir.Op {
	for n := len(w.list) - 1; n >= 0; n-- {
		op := w.list[n]
		w.list = w.list[:n]
		if op != nil {
			op.SetMark(0)
			return op
		}
	}
	return nil
}

func (w *worklist) remove(op *ir.Op) {
	if m := op.Mark(); m != 0 {
		w.list[m-1] = nil
		op.SetMark(0)
	}
}

// len returns how many operations there are, and places of removed ones.
func (w *worklist) len() int { return len(w.list) }

func (w *worklist) reverse() {
	for i, j := 0, len(w.list)-1; i < j; i, j = i+1, j-1 {
		w.list[i], w.list[j] = w.list[j], w.list[i]
	}
	for i, op := range w.list {
		if op != nil {
			op.SetMark(uint32(i + 1))
		}
	}
}

func (w *worklist) clear() {
	for w.pop() != nil {
	}
}
