package reduce

import (
	"slices"

	"freehold/ir"
)

// size measures a program: the numbers of operations, of what they use and where they go,
// of arguments of blocks and of attributes, and the sum of the numbers of the values that
// they use, counted from the start of the program. Since each program that is taken is
// smaller, in this order, than the one before, the search ends.
type size [5]int

func (s size) less(t size) bool { return slices.Compare(s[:], t[:]) < 0 }

func sizeOf(m *ir.Op) size {
	var s size
	numbers := map[*ir.Value]int{}
	number := func(v *ir.Value) int {
		n, ok := numbers[v]
		if !ok {
			n = len(numbers)
			numbers[v] = n
		}
		return n
	}
	m.Walk(func(op *ir.Op) bool {
		s[0]++
		s[1] += op.NumOperands() + op.NumSuccessors()
		s[3] += len(op.AllAttrs())
		for i := range op.NumResults() {
			number(op.Result(i))
		}
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				s[2] += b.NumArgs()
				for _, a := range b.Args() {
					number(a)
				}
			}
		}
		return true
	})
	m.Walk(func(op *ir.Op) bool {
		for i := range op.NumOperands() {
			s[4] += number(op.Operand(i))
		}
		return true
	})
	return s
}
