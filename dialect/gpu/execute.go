package gpu

import (
	"freehold/dialect/memref"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// asynchronously compiles an operation of AsyncOpInterface that does its work on the memrefs and words among its operands: prepare reads
// these from the registers, and returns the work. Without a token, the operation waits for what it depends on, and does its work then.
func asynchronously(c *exec.Compiler, op *ir.Op, prepare func(f *exec.Frame) func() error) exec.Step {
	o := AsyncOp{op}
	var dependencies []int
	for _, t := range o.Dependencies().Values() {
		dependencies = append(dependencies, c.Object(t))
	}
	token := o.Token()
	to := 0
	if token != nil {
		to = c.Object(token)
	}
	return func(f *exec.Frame) error {
		after := make([]*exec.Work, len(dependencies))
		for i, d := range dependencies {
			after[i] = f.O[d].(*exec.Work)
		}
		work := f.M.Later(prepare(f), after...)
		if token == nil {
			return work.Finish()
		}
		f.O[to] = work
		return nil
	}
}

// nothing is no work but that of waiting.
func nothing(*exec.Frame) func() error { return func() error { return nil } }

// executeAlloc is how gpu.alloc executes: the memory is there at once.
func executeAlloc(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	allocate, err := memref.CompileAlloc(c, op, exec.Heap, op.OperandGroup(1))
	if err != nil {
		return nil, err
	}
	return exec.Sequence(allocate, asynchronously(c, op, nothing)), nil
}

// executeDealloc is how gpu.dealloc executes.
func executeDealloc(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	m := c.Object(op.Operand(op.NumOperands() - 1))
	return asynchronously(c, op, func(f *exec.Frame) func() error {
		v := f.O[m].(*exec.MemRef)
		return func() error {
			if by := v.Alloc.Maker; by != nil && !by.Is(Alloc) && interfaces.MemoryEffects.Has(by) {
				return exec.Findf(exec.InvalidFree, op, "what '%s' allocated is freed by '%s'", by.Name(), op.Name())
			}
			return f.M.Free(op, v)
		}
	}), nil
}

// dense returns a finding if elements of a memref don't follow each other: operations that count bytes touch what lies between them.
func dense(op *ir.Op, m *exec.MemRef) error {
	if !m.Dense() {
		return exec.Findf(exec.Undefined, op, "the memory has gaps between its elements")
	}
	return nil
}

// executeMemcpy is how gpu.memcpy executes.
func executeMemcpy(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	n := op.NumOperands()
	dst, src := c.Object(op.Operand(n-2)), c.Object(op.Operand(n-1))
	return asynchronously(c, op, func(f *exec.Frame) func() error {
		to, from := f.O[dst].(*exec.MemRef), f.O[src].(*exec.MemRef)
		return func() error {
			for _, m := range []*exec.MemRef{to, from} {
				if err := dense(op, m); err != nil {
					return err
				}
			}
			return exec.CopyMemRef(f, op, to, from)
		}
	}), nil
}

// executeMemset is how gpu.memset executes.
func executeMemset(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	n := op.NumOperands()
	dst, value := c.Object(op.Operand(n-2)), c.Reg(op.Operand(n-1))
	return asynchronously(c, op, func(f *exec.Frame) func() error {
		to, v := f.O[dst].(*exec.MemRef), f.Get(value)
		return func() error {
			if err := dense(op, to); err != nil {
				return err
			}
			return to.Fill(f, op, v)
		}
	}), nil
}

// executeWait is how gpu.wait executes.
func executeWait(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	return asynchronously(c, op, nothing), nil
}
