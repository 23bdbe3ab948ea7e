package emitc

import (
	"freehold/dialect/arith"
	"freehold/ir"
)

// inWindows are operations that compilers do for several elements at a time, whatever their type is.
var inWindows = map[*ir.OpID]bool{
	arith.AddI: true, arith.SubI: true, arith.MulI: true, arith.AndI: true, arith.OrI: true, arith.XOrI: true, arith.ExtSI: true, arith.ExtUI: true, arith.TruncI: true,
	arith.MaxSI: true, arith.MinSI: true, arith.MaxUI: true, arith.MinUI: true, arith.Constant: true,
	arith.AddF: true, arith.SubF: true, arith.MulF: true, arith.DivF: true, arith.NegF: true,
	arith.MaximumF: true, arith.MinimumF: true, arith.MaxNumF: true, arith.MinNumF: true,
}

// closest is how far from each other elements may be that compilers load several of at a time.
const closest = 4

// windows arranges the loops of a nest that combines few elements with each one of the result, such as a pooling: without loops over these, compilers combine them with several elements of
// the result at a time, which stay in registers. It tells whether the nest is one for which that is good.
func (n *nest) windows() bool {
	if !n.free || n.indexed || !n.isForWindows() {
		return false
	}
	along, count := -1, int64(1)
	var outer, inner []int
	for _, d := range n.loops {
		size, known := number(n.sizes[d])
		switch {
		case !n.writesApart(d):
			if inner = append(inner, d); !known || size > shortest {
				return false
			}
			count *= size
		case along < 0 && n.isClose(d) && (!known || size >= closest):
			along = d
		default:
			outer = append(outer, d)
		}
	}
	if along < 0 || len(inner) == 0 || count > shortest {
		return false
	}
	n.unrolled = len(outer) + 1
	n.loops = append(append(outer, along), inner...)
	return true
}

// isForWindows tells whether the body is one of operations that compilers do for several elements at a time.
func (n *nest) isForWindows() bool {
	for _, o := range n.operands {
		if t, float := ir.ElementType(o.v.Type()).(*ir.FloatType); float && !isNative(t) || o.arg == nil {
			return false
		}
	}
	body := n.op.BodyBlock(0)
	for op := range body.Ops() {
		if op != body.Last() && !inWindows[op.ID()] {
			return false
		}
	}
	return true
}

// isClose tells whether elements of the result follow each other in memory along a dimension, and those that are combined with them are near each other.
func (n *nest) isClose(d int) bool {
	for k, o := range n.operands {
		if o.r == nil || !o.arg.HasUses() && k < n.inits {
			continue
		}
		if by, known := number(o.strides[d]); !known || by < 0 || by > closest || k >= n.inits && by != 1 {
			return false
		}
	}
	return true
}

// withoutLoop asks compilers to leave nothing of the short loop that follows.
func (m *module) withoutLoop() string {
	return m.helpers.define("FH_WITHOUT_LOOP", `
/* Asks for the short loop that follows to become what it does, one after the other. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 8
#define FH_WITHOUT_LOOP _Pragma("GCC unroll 16")
#else
#define FH_WITHOUT_LOOP
#endif`)
}
