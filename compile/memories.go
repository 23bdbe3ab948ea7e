package compile

import (
	"freehold/ir"
	"freehold/memory/footprint"
	"freehold/transform/memory/reuse"
)

// Memory is one of several memories that buffers go to. Its capacity is how many bytes may be needed in it at a time, beside arguments and constants.
type Memory = reuse.Memory

// MemoryUse is how much of a memory a compiled program needs.
type MemoryUse struct {
	Memory
	// Needed is what is needed at a time, beside arguments and constants.
	Needed footprint.Size
}

// measureMemories finds how much a compiled program needs of each memory, by another way than that by which it was planned, and what is above a capacity.
func (r *Result) measureMemories(module *ir.Op, memories []Memory) {
	for _, m := range memories {
		use := MemoryUse{m, footprint.InSpace(module, m.SpaceAttr(module.Context()))}
		r.Memories = append(r.Memories, use)
		if !use.Needed.IsStatic() || use.Needed.Bytes > m.Capacity {
			r.Overlaps = append(r.Overlaps, module.PlainErrorf("the memory %s has %d bytes, and the compiled program may need %s in it", m.Name, m.Capacity, use.Needed))
		}
	}
}
