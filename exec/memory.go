package exec

import (
	"slices"

	"freehold/ir"
)

// Tensors have no operation that frees them: they live as long as something can still
// use them. So that a program which needs more than the limit of memory is stopped before
// it has it, the machine sums up what tensors are made; when that comes to the limit, it
// counts those that registers hold. For this to be what is still needed, registers are
// cleared after the last use of their value, and those of regions once their operation is
// done.

// room tells whether bytes more may be allocated, in tensors or buffers.
func (m *Machine) room(op *ir.Op, bytes int64) error {
	fits := func() bool { return bytes <= m.MaxBytes-m.LiveBytes-m.held-m.tensors }
	if fits() {
		return nil
	}
	m.countTensors()
	if fits() {
		return nil
	}
	if bytes == 0 {
		return Findf(MemoryLimit, op, "the %s bytes in use exceed the memory limit of %d bytes", FormatInt(m.LiveBytes+m.held+m.tensors), m.MaxBytes)
	}
	have := ""
	if n := m.LiveBytes + m.held + m.tensors; n > 0 {
		have = ", beside " + FormatInt(n) + " bytes that are in use,"
	}
	return Findf(MemoryLimit, op, "%d bytes%s exceed the memory limit of %d bytes", bytes, have, m.MaxBytes)
}

// countTensors sums up the tensors that registers hold. Linear in their number.
func (m *Machine) countTensors() {
	seen := map[*Store]bool{}
	for _, s := range m.arguments {
		seen[s] = true
	}
	m.tensors = 0
	for _, f := range m.frames {
		for _, o := range f.O {
			switch o := o.(type) {
			case *Tensor:
				if !seen[o.Store] {
					seen[o.Store] = true
					m.tensors += o.bytes()
				}
			case *MemRef:
				if s := o.Alloc.Store; o.Alloc.Origin == FromTensor && !seen[s] {
					seen[s] = true
					m.tensors += o.Alloc.Bytes
				}
			}
		}
	}
}

// bytes returns the size of the elements.
func (t *Tensor) bytes() int64 { return t.Elements() * t.Elem.Bytes }

// enter and exit note the frames whose registers hold what is in use, first of all constants.
func (m *Machine) enter(f *Frame, fn *Function) error {
	m.tensors += fn.constBytes
	m.calls++
	f.call = m.calls
	m.frames = append(m.frames, f)
	if fn.constBytes == 0 {
		return nil
	}
	return m.room(fn.Op, 0)
}

func (m *Machine) exit() { m.frames = m.frames[:len(m.frames)-1] }

// isActive tells whether an activation of a function hasn't ended.
func (m *Machine) isActive(call int64) bool {
	return slices.ContainsFunc(m.frames, func(f *Frame) bool { return f.call == call })
}

// accounted adds to the step of an operation that the tensors it makes are counted, and
// that the registers of tensors which it used last, and those of its regions, are cleared.
func (c *Compiler) accounted(op *ir.Op, step Step) Step {
	if step == nil || c.nest != nil || op.Has(ir.TraitTerminator) {
		return step
	}
	var made, used, dead, inner []int
	for _, v := range op.Results().Values() {
		if ir.IsTensor(v.Type()) {
			made = append(made, c.Object(v))
		}
	}
	for i := range op.NumOperands() {
		if v := op.Operand(i); ir.IsTensor(v.Type()) {
			used = append(used, c.Object(v))
		}
	}
	for _, v := range c.dying[op] {
		if r := c.Reg(v); !r.IsWord() && !c.constant(r) {
			dead = append(dead, r.Object())
		}
	}
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			inner = c.tensorsOf(b, inner)
		}
	}
	if len(made)+len(dead)+len(inner) == 0 {
		return step
	}
	return func(f *Frame) error {
		var before []*Store
		for _, r := range used {
			if t, ok := f.O[r].(*Tensor); ok {
				before = append(before, t.Store)
			}
		}
		if err := step(f); err != nil {
			return err
		}
		for _, r := range inner {
			f.O[r] = nil
		}
		for _, r := range made {
			t, ok := f.O[r].(*Tensor)
			if !ok {
				continue
			}
			fresh := true
			for _, s := range before {
				fresh = fresh && s != t.Store
			}
			if fresh {
				f.M.tensors += t.bytes()
			}
		}
		err := f.M.room(op, 0)
		for _, r := range dead {
			f.O[r] = nil
		}
		return err
	}
}

// tensorsOf appends the registers of the tensors that a block has as arguments, and that its
// operations make.
func (c *Compiler) tensorsOf(b *ir.Block, to []int) []int {
	note := func(v *ir.Value) {
		if r, ok := c.regs[v]; ok && ir.IsTensor(v.Type()) && !c.constant(r) {
			to = append(to, r.Object())
		}
	}
	for _, a := range b.Args() {
		note(a)
	}
	for op := range b.Ops() {
		for _, v := range op.Results().Values() {
			note(v)
		}
	}
	return to
}

// constant tells whether the register holds a constant, which it must keep.
func (c *Compiler) constant(r Reg) bool { return c.constants[r] }

// findDying notes for the operations of a block the tensors that nothing uses after them:
// results of operations of the block, and arguments of the function, whose uses are all
// below the block. O(uses x nesting depth).
func (c *Compiler) findDying(b *ir.Block, args bool) {
	note := func(v *ir.Value, last *ir.Op) {
		if !ir.IsTensor(v.Type()) {
			return
		}
		for u := v.FirstUse(); u != nil; u = u.Next() {
			a := b.AncestorIn(u.Owner())
			if a == nil {
				return
			}
			if last == nil || last.IsBefore(a) {
				last = a
			}
		}
		if last != nil {
			c.dying[last] = append(c.dying[last], v)
		}
	}
	if args {
		for _, a := range b.Args() {
			note(a, nil)
		}
	}
	for op := range b.Ops() {
		for _, v := range op.Results().Values() {
			note(v, op)
		}
	}
}
