package compile_test

import (
	"fmt"

	"freehold/compile"
)

// Why a step of the pipeline is there.
func Example() {
	for _, s := range (compile.Options{Deallocation: compile.Clone, Arena: compile.NoArena}).Steps() {
		if s.Name == "copy-returned-parts" {
			fmt.Println(s.Passes)
			fmt.Println(s.Why)
		}
	}
	// Output:
	// copy-returned-parts
	// A caller that gets a part of a buffer can't free it.
}
