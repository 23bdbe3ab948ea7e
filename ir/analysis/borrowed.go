package analysis

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// IsBorrowed tells whether a value is the result of a call that is marked by [interfaces.BorrowedAttr].
func IsBorrowed(v *ir.Value) bool {
	op := v.DefiningOp()
	if op == nil {
		return false
	}
	list, ok := op.Attr(interfaces.BorrowedAttr).(*ir.DenseArrayAttr)
	if !ok {
		return false
	}
	for i := range list.Len() {
		if list.Int(i) == int64(v.Index()) {
			return true
		}
	}
	return false
}

// MarkBorrowed marks a result of a call by [interfaces.BorrowedAttr].
func MarkBorrowed(v *ir.Value) {
	if IsBorrowed(v) {
		return
	}
	op := v.DefiningOp()
	numbers := []int64{int64(v.Index())}
	if list, ok := op.Attr(interfaces.BorrowedAttr).(*ir.DenseArrayAttr); ok {
		for i := range list.Len() {
			numbers = append(numbers, list.Int(i))
		}
		slices.Sort(numbers)
	}
	op.SetAttr(interfaces.BorrowedAttr, op.Context().DenseI64Array(numbers...))
}

// UnmarkBorrowed takes the marks of those results of a call away of which it is told, and tells whether there were any. Linear time.
func UnmarkBorrowed(call *ir.Op, which func(i int) bool) bool {
	list, ok := call.Attr(interfaces.BorrowedAttr).(*ir.DenseArrayAttr)
	if !ok {
		return false
	}
	var left []int64
	for k := range list.Len() {
		if i := list.Int(k); !which(int(i)) {
			left = append(left, i)
		}
	}
	switch len(left) {
	case list.Len():
		return false
	case 0:
		call.SetAttr(interfaces.BorrowedAttr, nil)
	default:
		call.SetAttr(interfaces.BorrowedAttr, call.Context().DenseI64Array(left...))
	}
	return true
}

// lend notes which buffers the borrowed results of a call may be: arguments, and other results.
func (o *Origins) lend(call *ir.Op, m interfaces.CallModel) {
	if call.Attr(interfaces.BorrowedAttr) == nil {
		return
	}
	start, n := m.Args(call)
	for _, r := range call.Results().Values() {
		if !IsBorrowed(r) {
			continue
		}
		for i := range n {
			if o.dom != nil && !o.calls.Stays(call, i) {
				o.depends(call.Operand(start+i), r)
			}
		}
		for _, other := range call.Results().Values() {
			if other != r {
				o.depends(other, r)
			}
		}
	}
}
