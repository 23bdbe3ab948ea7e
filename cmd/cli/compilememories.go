package cli

import (
	"errors"
	"fmt"

	"freehold/compile"
)

// set puts the memories into options of compile, which needs the space of each.
func (l memoryList) set(to *compile.Options) error {
	if len(l) > 0 && (to.Arena == compile.NoArena || to.Deallocation == compile.MLIR) {
		return errors.New("--memory needs arenas, which --arena none and --deallocation mlir leave out")
	}
	for _, m := range l {
		if m.space < 0 {
			return fmt.Errorf("the memory %q has no space: compile needs it as %s=SIZE,space=N, where 0 is the space of buffers that have none in their type", m.Name, m.Name)
		}
		to.Memories = append(to.Memories, compile.Memory{Memory: m.Memory, Space: m.space})
	}
	return nil
}

// jsonMemoryUse is how much is needed of a memory, as JSON.
type jsonMemoryUse struct {
	Name     string   `json:"name"`
	Space    int64    `json:"space"`
	Capacity int64    `json:"capacity"`
	Cost     int64    `json:"cost"`
	Needed   jsonSize `json:"needed"`
}

func memoriesJSON(uses []compile.MemoryUse) (out []jsonMemoryUse) {
	for _, m := range uses {
		out = append(out, jsonMemoryUse{m.Name, m.Space, m.Capacity, m.Cost, sizeJSON(m.Needed)})
	}
	return out
}
