package shape

import "freehold/ir"

// broadcastShapes returns the shape that two shapes broadcast to, and false if
// they don't fit.
func broadcastShapes(a, b []int64) ([]int64, bool) {
	if len(a) < len(b) {
		a, b = b, a
	}
	out := append([]int64(nil), a...)
	skip := len(a) - len(b)
	for i, d := range b {
		e := a[skip+i]
		switch {
		case d == e || d == 1:
			continue
		case e == 1:
			out[skip+i] = d
		case e == ir.Dynamic && d > 1:
			out[skip+i] = d
		case d == ir.Dynamic && e > 1:
		case e == ir.Dynamic || d == ir.Dynamic:
			out[skip+i] = ir.Dynamic
		default:
			return nil, false
		}
	}
	return out, true
}

// broadcastable tells whether the shapes are certain to fit: in each dimension all
// sizes are 1 but for equal static ones or a single dynamic one.
func broadcastable(shapes [][]int64) bool {
	rank := 0
	for _, s := range shapes {
		rank = max(rank, len(s))
	}
	for i := 1; i <= rank; i++ {
		dynamic, static := false, int64(1)
		for _, s := range shapes {
			if i > len(s) {
				continue
			}
			switch d := s[len(s)-i]; {
			case d == 1:
			case d == ir.Dynamic:
				if dynamic || static != 1 {
					return false
				}
				dynamic = true
			default:
				if dynamic || static != 1 && static != d {
					return false
				}
				static = d
			}
		}
	}
	return true
}
