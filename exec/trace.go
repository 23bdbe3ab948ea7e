package exec

import "freehold/ir"

// Traced is an operation that was executed.
type Traced struct {
	// Step is the number of operations that were executed before.
	Step int64
	// Depth is the nesting of calls, Nesting that of regions in the function.
	Depth, Nesting int
	Op             *ir.Op
	// Operands and Results are the values: words as uint64, objects, or [PoisonValue].
	// They must not be kept: what is in memory changes.
	Operands, Results []any
	// Err is what stopped the operation, or nil.
	Err error
}

// traced adds the report of an operation to its step. Operations that need no
// step, such as constants, are not reported; those with regions are when they are
// left.
func (c *Compiler) traced(op *ir.Op, step Step) Step {
	report := c.program.Trace
	if report == nil || step == nil || c.nest != nil {
		return step
	}
	operands, results := c.Regs(op.Operands().Values()), c.Regs(op.Results().Values())
	nesting := 0
	for r := c.region; r.outer != nil; r = r.outer {
		nesting++
	}
	return func(f *Frame) error {
		t := Traced{Step: f.M.Steps, Depth: f.M.depth, Nesting: nesting, Op: op}
		// What an operation takes over may be overwritten.
		for _, r := range operands {
			t.Operands = append(t.Operands, f.Get(r))
		}
		t.Err = step(f)
		if t.Err == nil {
			for _, r := range results {
				t.Results = append(t.Results, f.Get(r))
			}
		}
		report(&t)
		return t.Err
	}
}

// MemoryEvent is something that happened to memory.
type MemoryEvent struct {
	// Step is the number of operations that were executed before.
	Step int64
	// Kind is "alloc", "free" or "copy".
	Kind string
	// Op is the operation that did it; nil where a scope or the program ends.
	Op *ir.Op
	// Alloc is the allocation; of a copy, the one that is written.
	Alloc *Alloc
	// Source is the allocation that a copy reads.
	Source *Alloc
	// Bytes is the size of the allocation or the copy.
	Bytes int64
	// Live is how many bytes are allocated on heap and stack afterwards.
	Live int64
	// Loc is the place in the program.
	Loc ir.Location
}

func (m *Machine) note(e MemoryEvent) {
	if m.Memory != nil {
		e.Step, e.Live = m.Steps, m.LiveBytes
		m.Memory(&e)
	}
}
