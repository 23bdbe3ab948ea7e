package bufferization

import (
	"freehold/dialect/memref"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/shapes"
)

func executeAllocTensor(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	d := c.Object(op.Result(0))
	if start, n := op.OperandGroupRange(1); n == 1 {
		take := c.Take(op.OperandUse(start))
		return func(f *exec.Frame) error {
			f.O[d] = take(f)
			return nil
		}, nil
	}
	t, ok := op.Result(0).Type().(*ir.RankedTensorType)
	if !ok {
		return nil, exec.Unsupported(op, "its type is not supported")
	}
	sizes, e := c.Sizes(shapes.Mixed(t.Shape, op.OperandGroup(0).Values())), exec.ElemOf(t.Elem)
	return func(f *exec.Frame) error {
		n := sizes(f)
		if _, err := f.M.Elements(op, e, n); err != nil {
			return err
		}
		f.O[d] = exec.NewTensor(e, n, false)
		return nil
	}, nil
}

func executeClone(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	src, d, t := c.Object(CloneOp{op}.Input()), c.Object(op.Result(0)), op.Result(0).Type()
	if ir.ElementType(t) != ir.ElementType(CloneOp{op}.Input().Type()) {
		return nil, exec.Unsupported(op, "a buffer of other elements is no copy")
	}
	shape, ranked := ir.ShapeOf(t)
	if !memref.CanBeNew(op.Context(), t) {
		return nil, exec.Unsupported(op, "a new buffer has another layout than its type")
	}
	return func(f *exec.Frame) error {
		m := f.O[src].(*exec.MemRef)
		if ranked {
			if err := exec.CheckSizes(op, m.Sizes, shape); err != nil {
				return err
			}
		}
		a, err := f.M.NewAlloc(op, exec.Heap, m.Elem, t, m.Elements())
		if err != nil {
			return err
		}
		out := &exec.MemRef{Alloc: a, Elem: m.Elem, Sizes: m.Sizes, Strides: exec.RowMajor(m.Sizes)}
		f.O[d] = out
		return exec.CopyMemRef(f, op, out, m)
	}, nil
}

// executeDealloc frees each allocation among the memrefs of which a condition
// holds, unless it is one of the retained ones; these get the condition instead.
// Memrefs of one allocation count as one.
func executeDealloc(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	var memrefs, retained []int
	for _, v := range op.OperandGroup(deallocMemrefs).Values() {
		memrefs = append(memrefs, c.Object(v))
	}
	conditions := c.Words(op.OperandGroup(deallocConditions))
	for _, v := range op.OperandGroup(deallocRetained).Values() {
		retained = append(retained, c.Object(v))
	}
	results := make([]int, op.NumResults())
	for i := range results {
		results[i] = c.Word(op.Result(i))
	}
	return func(f *exec.Frame) error {
		updated := make([]uint64, len(results))
		var free []*exec.MemRef
		for i, r := range memrefs {
			if f.W[conditions[i]] == 0 {
				continue
			}
			m := f.O[r].(*exec.MemRef)
			kept := false
			for j, k := range retained {
				if f.O[k].(*exec.MemRef).Alloc == m.Alloc {
					kept, updated[j] = true, 1
				}
			}
			for _, other := range free {
				kept = kept || other.Alloc == m.Alloc
			}
			if !kept {
				free = append(free, m)
			}
		}
		for _, m := range free {
			if err := f.M.Free(op, m); err != nil {
				return err
			}
		}
		for j, r := range results {
			f.W[r] = updated[j]
		}
		return nil
	}, nil
}

// executeToTensor copies the buffer, so that later writes don't change the
// tensor.
func executeToTensor(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	src, d := c.Object(ToTensorOp{op}.MemRef()), c.Object(op.Result(0))
	return func(f *exec.Frame) error {
		m := f.O[src].(*exec.MemRef)
		if err := m.Access(op); err != nil {
			return err
		}
		if err := f.M.Charge(op, m.Elements()); err != nil {
			return err
		}
		t, err := exec.TensorOfView(op, m.View())
		f.O[d] = t
		return err
	}, nil
}

// executeToMemref makes a buffer of the tensor's elements, which belongs to
// nobody. Unless it is only read it is a copy if anything else needs the tensor.
func executeToMemref(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	src, d := c.Object(ToMemrefOp{op}.Tensor()), c.Object(op.Result(0))
	take := c.Take(op.OperandUse(0))
	readOnly := flag(op, ReadOnlyAttr)
	return func(f *exec.Frame) error {
		t := f.O[src].(*exec.Tensor)
		if readOnly {
			t.Share()
		} else {
			t = take(f)
		}
		a := f.M.AdoptTensor(op, t, op.Result(0).Type())
		a.ReadOnly = readOnly
		f.O[d] = &exec.MemRef{Alloc: a, Elem: t.Elem, Sizes: t.Sizes, Strides: exec.RowMajor(t.Sizes)}
		return nil
	}, nil
}

func executeMaterialize(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	src, dst := c.Object(MaterializeInDestinationOp{op}.Source()), c.Object(MaterializeInDestinationOp{op}.Dest())
	if ir.IsMemRef(MaterializeInDestinationOp{op}.Dest().Type()) {
		return func(f *exec.Frame) error {
			t := f.O[src].(*exec.Tensor)
			m := &exec.MemRef{Alloc: f.M.AdoptTensor(op, t, MaterializeInDestinationOp{op}.Source().Type()), Elem: t.Elem, Sizes: t.Sizes, Strides: exec.RowMajor(t.Sizes)}
			return exec.CopyMemRef(f, op, f.O[dst].(*exec.MemRef), m)
		}, nil
	}
	forward := c.Forward(op, 0, 0)
	return func(f *exec.Frame) error {
		t := f.O[src].(*exec.Tensor)
		if err := exec.CheckSizes(op, t.Sizes, f.O[dst].(*exec.Tensor).Sizes); err != nil {
			return err
		}
		return forward(f)
	}, nil
}
