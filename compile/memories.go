package compile

import (
	"freehold/ir"
	"freehold/memory/footprint"
	"freehold/memory/plan"
	"freehold/transform/memory/reuse"
)

// Memory is one of several memories that buffers go to.
type Memory struct {
	Name string
	// Capacity is how many bytes may be needed in it at a time, beside arguments and constants.
	Capacity int64
	// Space is the memory space of its buffers, as a number in their types; that of 0 isn't written.
	Space int64
	// Cost is what a byte that is read or written costs in it.
	Cost int64
}

// MemoryUse is how much of a memory a compiled program needs.
type MemoryUse struct {
	Memory
	// Needed is what is needed at a time, beside arguments and constants.
	Needed footprint.Size
}

// memoryOption returns the option of the pass that makes arenas about several memories.
func memoryOption(memories []Memory) string {
	out := make([]reuse.Memory, len(memories))
	for k, m := range memories {
		out[k] = reuse.Memory{Memory: plan.Memory{Name: m.Name, Capacity: m.Capacity, Cost: m.Cost}, Space: m.Space}
	}
	return "memories=" + reuse.MemoryOption(out)
}

// measureMemories finds how much a compiled program needs of each memory, by another way than that by which it was planned, and what is above a capacity.
func (r *Result) measureMemories(module *ir.Op, memories []Memory) {
	for _, m := range memories {
		var space ir.Attribute
		if m.Space != 0 {
			space = module.Context().I64Attr(m.Space)
		}
		use := MemoryUse{m, footprint.InSpace(module, space)}
		r.Memories = append(r.Memories, use)
		if !use.Needed.IsStatic() || use.Needed.Bytes > m.Capacity {
			r.Overlaps = append(r.Overlaps, module.PlainErrorf("the memory %s has %d bytes, and the compiled program needs %s in it", m.Name, m.Capacity, use.Needed))
		}
	}
}
