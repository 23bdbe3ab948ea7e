package deallocation

import (
	"freehold/exec"
	"freehold/ir"
)

// An owner is executed as the memref of a whole allocation, null as one without
// allocation.

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
func example(*ir.DialectType, func(int) int) any { return exec.Null }

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
	c.Constant(op.Result(0), exec.Null)
	return nil, nil
}

func executeOwn(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	m, d := c.Object(OwnOp{op}.MemRef()), c.Object(op.Result(0))
	return func(f *exec.Frame) error {
		f.O[d] = ownerOf(f.O[m].(*exec.MemRef))
		return nil
	}, nil
}

func executeGetBuffer(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	m, d := c.Object(GetBufferOp{op}.Alloc()), c.Word(op.Result(0))
	return func(f *exec.Frame) error {
		f.W[d] = addressOf(f.O[m].(*exec.MemRef))
		return nil
	}, nil
}

func executeFree(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	m := c.Object(FreeOp{op}.Alloc())
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
		kept, left := make([]*exec.MemRef, len(memrefs)), make([]*exec.MemRef, len(held))
		for i, r := range memrefs {
			kept[i] = exec.Null
			if counts[i] {
				kept[i] = f.O[r].(*exec.MemRef)
			}
		}
		for i, r := range held {
			left[i] = f.O[r].(*exec.MemRef)
		}
		owners, err := retain(f.M, op, kept, left)
		if err != nil {
			return err
		}
		for i, r := range results {
			f.O[r] = owners[i]
		}
		return nil
	}, nil
}

// retain returns an owner for each memref that one of the owners owns, and frees what no
// owner is returned of. It changes the list of owners.
func retain(m *exec.Machine, op *ir.Op, memrefs, owners []*exec.MemRef) ([]*exec.MemRef, error) {
	out := make([]*exec.MemRef, len(memrefs))
	for i, kept := range memrefs {
		out[i] = exec.Null
		for j, o := range owners {
			if !o.IsNull() && o.Alloc == kept.Alloc {
				out[i], owners[j] = o, exec.Null
				break
			}
		}
	}
	for _, o := range owners {
		if !o.IsNull() {
			if err := m.Free(op, o); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// library returns what retainBuffers does, which deallocation.retain is lowered to: it
// takes the number of memrefs with an array of pointers to their allocations, the number of
// owners with an array of these, and an array for the result.
func library(_ *ir.Op, name string) exec.External {
	if name != "retainBuffers" {
		return nil
	}
	return func(call *exec.ExternalCall) (exec.Values, error) {
		var none exec.Values
		unsupported := exec.Unsupported(call.Op, "retainBuffers takes a number and an array of pointers, twice, and an array for the result")
		if len(call.Inputs) != 5 || len(call.Results) != 0 {
			return none, unsupported
		}
		var arrays [5]*exec.MemRef
		for _, i := range []int{1, 3, 4} {
			m, ok := call.Args.O[i].(*exec.MemRef)
			if !ok || !m.IsNull() && !m.Alloc.Objects() {
				return none, unsupported
			}
			arrays[i] = m
		}
		read := func(array *exec.MemRef, n uint64) ([]*exec.MemRef, error) {
			var out []*exec.MemRef
			for i := range int64(n) {
				at, err := element(call.Op, array, i)
				if err != nil {
					return nil, err
				}
				v, err := at.At(call.Op, nil)
				if err != nil {
					return nil, err
				}
				p, ok := v.(*exec.MemRef)
				if !ok {
					return nil, exec.Findf(exec.Uninitialized, call.Op, "a pointer is read that was not written")
				}
				out = append(out, p)
			}
			return out, nil
		}
		memrefs, err := read(arrays[1], call.Args.W[0])
		if err != nil {
			return none, err
		}
		owners, err := read(arrays[3], call.Args.W[2])
		if err != nil {
			return none, err
		}
		results, err := retain(call.Machine, call.Op, memrefs, owners)
		if err != nil {
			return none, err
		}
		for i, r := range results {
			at, err := element(call.Op, arrays[4], int64(i))
			if err == nil {
				err = at.SetAt(call.Op, nil, r)
			}
			if err != nil {
				return none, err
			}
		}
		return none, nil
	}
}

// element returns the place of an element of an array of pointers.
func element(op *ir.Op, array *exec.MemRef, i int64) (*exec.MemRef, error) {
	if array.IsNull() {
		return nil, exec.Findf(exec.Undefined, op, "memory is accessed by a null pointer")
	}
	return &exec.MemRef{Alloc: array.Alloc, Elem: array.Elem, Shift: array.Shift + i}, nil
}

func objects(c *exec.Compiler, list ir.Operands) []int {
	out := make([]int, len(list))
	for i := range out {
		out[i] = c.Object(list.At(i))
	}
	return out
}
