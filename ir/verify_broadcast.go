package ir

import (
	"strconv"
	"strings"
)

// verifyBroadcast checks that the shapes of the operands, as far as they are known, can be
// broadcast to one, and that the results may have it.
func verifyBroadcast(op *Op) *Diagnostic {
	var shape []int64 // from the last dimension to the first
	ranked := false
	for i := range op.Operands() {
		s, ok := ShapeOf(op.Operands()[i].value.typ)
		if !ok {
			continue
		}
		ranked = true
		if shape, ok = broadcast(shape, s); !ok {
			return op.Errorf("operands don't have broadcast-compatible shapes")
		}
	}
	if !ranked {
		return nil
	}
	for i := range op.Results() {
		if s, ok := ShapeOf(op.Results()[i].typ); ok && !mayBeBroadcast(shape, s) {
			joined := make([]int64, len(shape))
			for k, d := range shape {
				joined[len(shape)-1-k] = d
			}
			return op.Errorf("result type '%s' not broadcast compatible with broadcasted operands's shapes '%s'", sizesText(s), sizesText(joined))
		}
	}
	return nil
}

// broadcast joins sizes, which are listed from the last one to the first, with those of a
// shape. It returns false if they don't fit.
func broadcast(sizes, shape []int64) ([]int64, bool) {
	for i := range shape {
		n := shape[len(shape)-1-i]
		switch {
		case i == len(sizes):
			sizes = append(sizes, n)
		case sizes[i] == 1:
			sizes[i] = n
		case n == 1 || n == sizes[i]:
		case n == Dynamic:
		case sizes[i] == Dynamic:
			sizes[i] = n
		default:
			return nil, false
		}
	}
	return sizes, true
}

// mayBeBroadcast tells whether a result may have the shape where its operands have sizes, from
// the last one to the first.
func mayBeBroadcast(sizes, shape []int64) bool {
	if len(sizes) != len(shape) {
		return false
	}
	for i, d := range shape {
		if n := sizes[len(sizes)-1-i]; n != d && n != Dynamic && d != Dynamic {
			return false
		}
	}
	return true
}

func sizesText(shape []int64) string {
	list := make([]string, len(shape))
	for i, d := range shape {
		list[i] = "?"
		if d != Dynamic {
			list[i] = strconv.FormatInt(d, 10)
		}
	}
	return strings.Join(list, "x")
}
