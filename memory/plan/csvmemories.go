package plan

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Choices returns what the file says about several memories: in the column memory, the names of those that a buffer may be in, separated by spaces, or nothing
// if it may be in all; in the column uses, how often it is used, which is 1 if it isn't said. Errors are of type [*TableError].
func (t *Table) Choices(memories []Memory) ([]Choice, error) {
	out := make([]Choice, len(t.rows))
	for i, row := range t.rows {
		c := &out[i]
		c.Uses = 1
		if t.uses >= 0 {
			if text := strings.TrimSpace(row[t.uses]); text != "" {
				n, err := parseNumber("uses", text)
				if err != nil {
					return nil, t.fail(t.lines[i], err.Error())
				}
				c.Uses = n
			}
		}
		if t.memory < 0 {
			continue
		}
		for _, name := range strings.Fields(row[t.memory]) {
			k := slices.IndexFunc(memories, func(m Memory) bool { return m.Name == name })
			if k < 0 {
				return nil, t.fail(t.lines[i], fmt.Sprintf("%s may be in the memory %q, which isn't given", t.Problem.name(i), name))
			}
			if !slices.Contains(c.Allowed, k) {
				c.Allowed = append(c.Allowed, k)
			}
		}
	}
	return out, nil
}

// MemoryPlan returns the plan that the file has in its columns memory and offset; whether it is one, VerifyMemories finds out.
func (t *Table) MemoryPlan(memories []Memory, choices []Choice) (*MemoryPlan, error) {
	s, err := t.Solution()
	if err != nil {
		return nil, err
	}
	out := &MemoryPlan{Offsets: s.Offsets, Peaks: make([]int64, len(memories))}
	for i, c := range choices {
		b := &t.Problem.Buffers[i]
		if len(c.Allowed) != 1 && len(memories) > 1 {
			return nil, t.fail(t.lines[i], fmt.Sprintf("it isn't said in which memory %s is", t.Problem.name(i)))
		}
		k := c.allowed(memories)[0]
		out.Memory = append(out.Memory, k)
		out.Cost += memories[k].Cost * c.Uses * b.Size
		if b.inUse() && out.Offsets[i] <= 1<<62 {
			out.Peaks[k] = max(out.Peaks[k], out.Offsets[i]+b.Size)
		}
	}
	return out, nil
}

// WriteMemories writes the file again, with the plan in the columns memory and offset, which become the last if the file had none.
func (t *Table) WriteMemories(w io.Writer, memories []Memory, x *MemoryPlan) error {
	names := make([]string, len(x.Memory))
	for i, k := range x.Memory {
		names[i] = memories[k].Name
	}
	return t.write(w, x.Offsets, names)
}
