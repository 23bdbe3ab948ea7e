package index

import (
	"freehold/exec"
	"freehold/ir"
)

// resize converts an integer to the width of the result.
func resize(bySign bool) exec.ScalarModel {
	return func(_ *ir.Op, in []ir.Type, out ir.Type) (exec.Scalar, bool) {
		return exec.Resize(exec.Width(in[0]), exec.Width(out), bySign), true
	}
}

// computeCmp is how index.cmp computes an element.
func computeCmp(op *ir.Op, _ []ir.Type, _ ir.Type) (exec.Scalar, bool) {
	p, ok := op.Attr("pred").(*ir.EnumAttr)
	if !ok || p.Value > uint64(exec.UGE) {
		return exec.Scalar{}, false
	}
	// The numbers of the predicates are the same.
	return exec.Compare(exec.Predicate(p.Value), 64), true
}

func always(s exec.Scalar) exec.ScalarModel {
	return func(*ir.Op, []ir.Type, ir.Type) (exec.Scalar, bool) { return s, true }
}

// executeSizeOf is how index.sizeof executes: an index has 64 bits.
func executeSizeOf(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	c.Constant(op.Result(0), uint64(64))
	return nil, nil
}
