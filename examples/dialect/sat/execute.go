package sat

import (
	"freehold/exec"
	"freehold/ir"
)

// clamp returns the smaller of two numbers of 32 bits.
func clamp(x, limit uint64) uint64 { return uint64(uint32(min(int32(x), int32(limit)))) }

func undefined(op *ir.Op) error {
	return exec.Findf(exec.Uninitialized, op, "an undefined element is clamped")
}

func executeClamp(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	source, limit, result := c.Take(op.OperandUse(0)), c.Word(ClampOp{op}.Limit()), c.Object(op.Result(0))
	return func(f *exec.Frame) error {
		t := source(f)
		for i := range t.Elements() {
			x, ok := t.Word(i)
			if !ok {
				return undefined(op)
			}
			t.SetWord(i, clamp(x, f.W[limit]))
		}
		f.O[result] = t
		return nil
	}, nil
}

func executeClampBuffer(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	buffer, limit := c.Object(ClampOp{op}.Source()), c.Word(ClampOp{op}.Limit())
	return func(f *exec.Frame) error {
		m := f.O[buffer].(*exec.MemRef)
		if err := m.Access(op); err != nil {
			return err
		}
		if err := m.Writable(op); err != nil {
			return err
		}
		idx := make([]int64, len(m.Sizes))
		for range m.Elements() {
			x, err := m.At(op, idx)
			if err != nil {
				return err
			}
			w, ok := x.(uint64)
			if !ok {
				return undefined(op)
			}
			if err := m.SetAt(op, idx, clamp(w, f.W[limit])); err != nil {
				return err
			}
			next(idx, m.Sizes)
		}
		return nil
	}, nil
}

// next counts indices up, the last one first.
func next(idx, sizes []int64) {
	for d := len(idx) - 1; d >= 0; d-- {
		if idx[d]++; idx[d] < sizes[d] {
			return
		}
		idx[d] = 0
	}
}
