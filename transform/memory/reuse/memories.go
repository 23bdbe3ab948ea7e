package reuse

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"freehold/ir"
	"freehold/memory/plan"
)

// Memory is one of several memories that buffers go to.
type Memory struct {
	plan.Memory
	// Space is the memory space of its buffers, as a number in their types; that of 0 isn't written.
	Space int64
}

// SpaceAttr returns the memory space as it is in types.
func (m *Memory) SpaceAttr(c *ir.Context) ir.Attribute {
	if m.Space == 0 {
		return nil
	}
	return c.I64Attr(m.Space)
}

// MemoryOption returns memories as the pass plan-memory takes them: NAME:BYTES:SPACE:COST, with commas between them.
func MemoryOption(memories []Memory) string {
	words := make([]string, len(memories))
	for k, m := range memories {
		words[k] = fmt.Sprintf("%s:%d:%d:%d", m.Name, m.Capacity, m.Space, m.Cost)
	}
	return strings.Join(words, ",")
}

// parseMemories reads what [MemoryOption] writes, where costs of 0 may be left out.
func parseMemories(words []string) (out []Memory, err error) {
	for _, word := range words {
		parts := strings.Split(word, ":")
		var numbers [3]int64 // the capacity, the space, the cost
		ok := 3 <= len(parts) && len(parts) <= 4 && parts[0] != ""
		for i, text := range parts[min(1, len(parts)):] {
			if !ok {
				break
			}
			n, err := strconv.ParseInt(text, 10, 62)
			numbers[i], ok = n, err == nil && n >= 0
		}
		if !ok {
			return nil, fmt.Errorf("the memory %q is not written as NAME:BYTES:SPACE or NAME:BYTES:SPACE:COST", word)
		}
		m := Memory{plan.Memory{Name: parts[0], Capacity: numbers[0], Cost: numbers[2]}, numbers[1]}
		if slices.ContainsFunc(out, func(x Memory) bool { return x.Space == m.Space }) {
			return nil, fmt.Errorf("two memories have the same space %d", m.Space)
		}
		out = append(out, m)
	}
	return out, nil
}

// memoryOf returns the place of the memory of a space; -1 if there is none.
func (f *functionPlanner) memoryOf(space ir.Attribute) int {
	return slices.IndexFunc(f.options.Memories, func(m Memory) bool { return m.SpaceAttr(f.fn.Context()) == space })
}

// named lists the memories with their sizes.
func (f *functionPlanner) named() string {
	words := make([]string, len(f.options.Memories))
	for k, m := range f.options.Memories {
		words[k] = fmt.Sprintf("%s (%d bytes, space %d)", m.Name, m.Capacity, m.Space)
	}
	return strings.Join(words, ", ")
}
