package llvm

import (
	"math"

	"freehold/exec"
	"freehold/ir"
)

// A pointer into checked memory is a view of no dimensions, of bytes, that starts where
// the pointer points. An access through it sees an element of the type that is accessed;
// it must be inside of the allocation, which must be live. A pointer itself may point
// anywhere.

// storable returns the element of a type that memory can hold: numbers.
func storable(op *ir.Op, t ir.Type) (*exec.Elem, error) {
	if !exec.IsWord(t) {
		return nil, exec.Unsupported(op, "values of that type in memory are not supported")
	}
	return exec.ElemOf(t), nil
}

// accessed returns the element that a pointer points to, which must be aligned as
// values of its type are, whatever the operation says.
func accessed(op *ir.Op, f *exec.Frame, pointer int, e *exec.Elem) (*exec.MemRef, error) {
	m := f.O[pointer].(*exec.MemRef)
	if m.Shift%e.Size != 0 {
		if a, ok := op.Attr("alignment").(*ir.IntegerAttr); ok && m.Shift%a.Value == 0 {
			return nil, exec.Unsupported(op, "memory that is less aligned than its type demands is not supported")
		}
		return nil, exec.Findf(exec.Undefined, op, "the address is not aligned to %d bytes", e.Size)
	}
	return &exec.MemRef{Alloc: m.Alloc, Elem: e, Shift: m.Shift}, nil
}

// elementOf returns the numbers that a type is made of, and how many there are: arrays
// have many.
func elementOf(t ir.Type) (elem ir.Type, count int64) {
	count = 1
	for {
		a, ok := is(t, array)
		if !ok {
			return t, count
		}
		n := a.Params[0].(*ir.IntegerAttr).Value
		if n > math.MaxInt32/max(1, count) {
			return t, count // which is not supported
		}
		t, count = a.Params[1].(*ir.TypeAttr).Type, count*n
	}
}

func elemType(op *ir.Op) ir.Type {
	a, _ := op.Attr("elem_type").(*ir.TypeAttr)
	return a.Type
}

func executeAlloca(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	t, each := elementOf(elemType(op))
	e, err := storable(op, t)
	if err != nil {
		return nil, err
	}
	c.OnStack()
	n, d, width := c.Word(op.Operand(0)), c.Object(op.Result(0)), exec.Width(op.Operand(0).Type())
	return func(f *exec.Frame) error {
		count, err := f.M.Elements(op, e, []int64{exec.SignExtend(f.W[n], width), each})
		if err != nil {
			return err
		}
		a, err := f.M.NewAlloc(op, exec.Stack, e, t, count)
		if err == nil {
			f.O[d] = &exec.MemRef{Alloc: a, Elem: e}
		}
		return err
	}, nil
}

func executeLoad(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	e, err := storable(op, op.Result(0).Type())
	if err != nil {
		return nil, err
	}
	p, d := c.Object(op.Operand(0)), c.Word(op.Result(0))
	return func(f *exec.Frame) error {
		m, err := accessed(op, f, p, e)
		if err != nil {
			return err
		}
		v, err := m.At(op, nil)
		if err != nil {
			return err
		}
		w, ok := v.(uint64)
		if !ok {
			return exec.Findf(exec.Uninitialized, op, "memory is read that was not written")
		}
		f.W[d] = w
		return nil
	}, nil
}

func executeStore(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	e, err := storable(op, op.Operand(0).Type())
	if err != nil {
		return nil, err
	}
	v, p := c.Word(op.Operand(0)), c.Object(op.Operand(1))
	return func(f *exec.Frame) error {
		m, err := accessed(op, f, p, e)
		if err != nil {
			return err
		}
		return m.SetAt(op, nil, f.W[v])
	}, nil
}

// executeGEP moves a pointer by numbers of elements, of the type first, and then of the
// arrays that it consists of.
func executeGEP(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	raw, _ := op.Attr(rawIndices).(*ir.DenseArrayAttr)
	type move struct {
		word, width int // of the operand, if word is not -1
		by          int64
		size        int64
	}
	var moves []move
	t, next := elemType(op), 1
	for i := range raw.Len() {
		if i > 0 {
			a, ok := is(t, array)
			if !ok {
				return nil, exec.Unsupported(op, "parts of that type are not supported")
			}
			t = a.Params[1].(*ir.TypeAttr).Type
		}
		elem, count := elementOf(t)
		e, err := storable(op, elem)
		if err != nil {
			return nil, err
		}
		m := move{word: -1, by: raw.Int(i), size: e.Size * count}
		if m.by == dynamicIndex {
			x := op.Operand(next)
			next++
			if !exec.IsWord(x.Type()) {
				return nil, exec.Unsupported(op, "vectors of pointers are not supported")
			}
			m.word, m.width = c.Word(x), exec.Width(x.Type())
		}
		moves = append(moves, m)
	}
	p, d := c.Object(op.Operand(0)), c.Object(op.Result(0))
	return func(f *exec.Frame) error {
		out := *f.O[p].(*exec.MemRef)
		for _, m := range moves {
			if m.word >= 0 {
				m.by = exec.SignExtend(f.W[m.word], m.width)
			}
			out.Shift += m.by * m.size
		}
		f.O[d] = &out
		return nil
	}, nil
}
