package deallocation

import (
	"freehold/exec"
	"freehold/ir"
)

// An owner is executed as the memref of a whole allocation, null as one without
// allocation.

// nobody is null.
var nobody = &exec.MemRef{}

// ownerOf returns the owner of a buffer's allocation.
func ownerOf(m *exec.MemRef) *exec.MemRef {
	return &exec.MemRef{Alloc: m.Alloc, Elem: m.Elem, Base: true}
}

// addressOf returns the address of the allocation of a buffer or owner.
func addressOf(m *exec.MemRef) uint64 {
	if m.Alloc == nil {
		return 0
	}
	return ownerOf(m).Address()
}

// example returns null: only a program itself owns something.
func example(*ir.DialectType, func(int) int) any { return nobody }

// owned returns what an owner owns.
func owned(t *ir.DialectType, v any) (*exec.Alloc, bool) {
	if t.Mnemonic != ownership {
		return nil, false
	}
	if m, ok := v.(*exec.MemRef); ok {
		return m.Alloc, true
	}
	return nil, true
}

func executeNull(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	c.Constant(op.Result(0), nobody)
	return nil, nil
}

func executeOwn(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	m, d := c.Object(op.Operand(0)), c.Object(op.Result(0))
	return func(f *exec.Frame) error {
		f.O[d] = ownerOf(f.O[m].(*exec.MemRef))
		return nil
	}, nil
}

func executeGetBuffer(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	m, d := c.Object(op.Operand(0)), c.Word(op.Result(0))
	return func(f *exec.Frame) error {
		f.W[d] = addressOf(f.O[m].(*exec.MemRef))
		return nil
	}, nil
}

func executeFree(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	m := c.Object(op.Operand(0))
	return func(f *exec.Frame) error {
		owner := f.O[m].(*exec.MemRef)
		if owner.Alloc == nil {
			return exec.Findf(exec.InvalidFree, op, "the owner of nothing is freed")
		}
		return f.M.Free(op, owner)
	}, nil
}

func executeRetain(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	o := RetainOp{op}
	memrefs, held, results := objects(c, o.Retained()), objects(c, o.Owners()), make([]int, op.NumResults())
	counts := make([]bool, len(memrefs))
	for i := range results {
		results[i], counts[i] = c.Object(op.Result(i)), o.Counts(i)
	}
	return func(f *exec.Frame) error {
		left := make([]*exec.MemRef, len(held))
		for i, r := range held {
			left[i] = f.O[r].(*exec.MemRef)
		}
		for i, r := range memrefs {
			owner := nobody
			for j, l := range left {
				if counts[i] && l.Alloc != nil && l.Alloc == f.O[r].(*exec.MemRef).Alloc {
					owner, left[j] = l, nobody
					break
				}
			}
			f.O[results[i]] = owner
		}
		for _, l := range left {
			if l.Alloc == nil {
				continue
			}
			if err := f.M.Free(op, l); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

func objects(c *exec.Compiler, list ir.Operands) []int {
	out := make([]int, len(list))
	for i := range out {
		out[i] = c.Object(list.At(i))
	}
	return out
}
