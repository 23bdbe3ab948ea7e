package main

import (
	"fmt"
	"strings"

	"freehold/compile"
)

// pipelineReference returns docs/pipeline.md: the steps of compile, with their reasons and what is known about their order.
func pipelineReference() []byte {
	var b strings.Builder
	b.WriteString(`# The pipeline of compile

<!-- Made by cmd/gendocs from package compile. -->

` + "`freehold compile`" + ` takes a program on tensors through these steps. Each one is a list of passes ([passes.md](passes.md)); any part of it can be tried with
` + "`freehold opt --pass-pipeline`" + `. Go programs get it from package ` + "`compile`" + `.
`)
	for _, d := range compile.Deallocations() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| Step | Passes | Why |\n|---|---|---|\n", titleOf(d), about(d))
		o := compile.Options{Deallocation: d}
		if d == compile.Ownership {
			o.DropEquivalentResults, o.MaxMemory, o.ExtraWork = true, compile.LeastMemory, 0.25
		}
		for _, s := range o.Steps() {
			why := s.Why
			if s.Name == "drop-equivalent" {
				why = "With `--drop-equivalent-results` only. " + why
			}
			fmt.Fprintf(&b, "| %s | `%s` | %s |\n", s.Name, s.Passes, why)
		}
	}
	b.WriteString("\n## What is known about the order\n\nA test keeps these in all pipelines.\n\n| First | Then | since |\n|---|---|---|\n")
	for _, c := range compile.Constraints() {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", c.First, c.Then, c.Why)
	}
	return []byte(b.String())
}

func titleOf(d compile.Deallocation) string {
	if d == compile.Deallocations()[0] {
		return string(d) + " (recommended)"
	}
	return string(d)
}

// about says what a way to insert frees is.
func about(d compile.Deallocation) string {
	abouts := map[compile.Deallocation]string{
		compile.Ownership: "Buffers are freed according to who owns them; where that isn't known in advance, the program computes it.",
		compile.HLO:       "Buffers are freed and used again as in MLIR-HLO: `--deallocation hlo`.",
		compile.Clone:     "Buffers are copied where control flow meets, so that each block frees what it allocates: `--deallocation clone`.",
		compile.MLIR:      "What MLIR's documents recommend, without anything of freehold's own: the row `mlir` of `freehold compare`.",
	}
	return abouts[d]
}
