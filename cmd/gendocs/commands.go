package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"freehold/cmd/cli"
)

// commandReference returns docs/cli.md: what the help texts of all commands say.
func commandReference() []byte {
	var b bytes.Buffer
	b.WriteString("# The commands\n\n<!-- Written by cmd/gendocs; don't edit. -->\n\n" +
		"What `freehold COMMAND --help` says. `make man` makes manual pages of the same.\n" +
		"`freehold opt` takes the flags of `mlir-opt`, which `freehold opt --help` lists, and the passes as flags\n" +
		"([passes.md](passes.md)). `freehold completion SHELL` prints a script with which a shell completes commands,\n" +
		"flags, passes, pipelines, functions and files.\n")
	b.WriteString("\n## Exit statuses\n\nThe exit status, or exit code, of all commands but `opt`, which has `mlir-opt`'s: 0, and 1 for any error.\n\n| Status | Means |\n|---|---|\n")
	for _, s := range cli.Statuses {
		fmt.Fprintf(&b, "| %d | %s |\n", s.Status, s.Meaning)
	}
	for _, c := range commands() {
		fmt.Fprintf(&b, "\n## freehold %s\n\n%s.\n\n", c.Name(), c.Short)
		var page bytes.Buffer
		if err := doc.GenMarkdown(c, &page); err != nil {
			panic(err) // a buffer takes everything
		}
		b.WriteString(sections(page.String()))
	}
	return b.Bytes()
}

// commands returns the commands that people use.
func commands() []*cobra.Command {
	var out []*cobra.Command
	for _, c := range cli.Commands().Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" {
			c.DisableAutoGenTag = true
			out = append(out, c)
		}
	}
	return out
}

// sections returns what is between the page's title and its links, one level down.
func sections(page string) string {
	if i := strings.Index(page, "### Synopsis"); i >= 0 {
		page = page[i+len("### Synopsis"):]
	} else if i := strings.Index(page, "\n```"); i >= 0 {
		page = page[i:]
	}
	page, _, _ = strings.Cut(page, "### SEE ALSO")
	return strings.TrimSpace(page) + "\n"
}

// manuals writes a manual page for each command to a folder.
func manuals(dir string) error {
	root := cli.Commands()
	root.DisableAutoGenTag = true
	return doc.GenManTree(root, &doc.GenManHeader{Title: "FREEHOLD", Section: "1", Source: "freehold", Manual: "freehold"}, dir)
}
