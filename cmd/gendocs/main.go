// Gendocs writes docs/passes.md and the pages in docs/passes from the registries of passes, docs/pipeline.md from the steps of compile, and docs/cli.md from the help
// texts of the commands. Run it from the root of the repository. With a folder as its
// argument, it writes manual pages there instead.
package main

import (
	"fmt"
	"os"

	"freehold/transform"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) > 0 {
		if err := os.MkdirAll(args[0], 0o777); err != nil {
			return err
		}
		return manuals(args[0])
	}
	for path, page := range pages {
		if err := os.WriteFile("docs/"+path, page(), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// pages are the pages of docs that are made.
var pages = func() map[string]func() []byte {
	out := map[string]func() []byte{"passes.md": passIndex, "cli.md": commandReference, "pipeline.md": pipelineReference}
	for _, f := range transform.Families() {
		out["passes/"+f.Name+".md"] = func() []byte { return familyPage(f) }
	}
	return out
}()
