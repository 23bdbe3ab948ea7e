// Gendocs writes docs/passes.md from the registry of passes. Run it from the root
// of the repository.
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := os.WriteFile("docs/passes.md", passReference(), 0o666); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
