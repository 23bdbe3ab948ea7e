// Package driver is what the program freehold is made of, and anybody's own tool: the
// command line of mlir-opt over any dialects and passes ([Main]), and a [Session], by
// which a Go program parses, verifies, transforms and prints programs. Package cmd/cli has all
// other commands for a tool.
//
//	tool := driver.Freehold()
//	tool.Name = "mytool opt"
//	tool.Dialects = append(tool.Dialects, mydialect.Dialect)
//	tool.Passes = append(tool.Passes, mypasses.Register)
//	os.Exit(cli.Main(tool, os.Args, driver.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
package driver

import (
	"io"
	"slices"

	"freehold/dialect"
	"freehold/ir"
	"freehold/pass"
	"freehold/transform"
)

// Tool is what a command line or a session knows: dialects, passes, and models that
// families of passes bring for the operations of dialects.
type Tool struct {
	// Name is how messages and the help text call the tool; Version is what --version
	// prints.
	Name, Version string
	// LLVM is the version of LLVM whose operations and defaults it has; 0 stands for that of the definitions, 19. See [Tool.For].
	LLVM int
	// Dialects are the dialects whose operations it knows.
	Dialects []*ir.Dialect
	// Passes register passes and pipelines.
	Passes []func(*pass.Registry)
	// Models attach models of interfaces to operations of a new context; see
	// [ir.Context.Attach].
	Models []func(*ir.Context)
}

// Streams are the standard streams of a command.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Freehold returns all that freehold knows, for a tool to add to.
func Freehold() *Tool {
	return &Tool{
		Name:     "freehold opt",
		Dialects: dialect.All(),
		Passes:   []func(*pass.Registry){transform.Register},
		Models:   []func(*ir.Context){transform.Attach},
	}
}

// For returns the tool as it is for a version of LLVM.
func (t *Tool) For(llvm int) *Tool {
	of := *t
	of.LLVM = llvm
	return &of
}

// NewContext returns a context with the tool's dialects and models.
func (t *Tool) NewContext() *ir.Context {
	c := ir.NewContextFor(t.LLVM, t.Dialects...)
	for _, attach := range t.Models {
		attach(c)
	}
	return c
}

// Registry returns the tool's passes.
func (t *Tool) Registry() *pass.Registry {
	r := &pass.Registry{LLVM: t.LLVM}
	for _, register := range t.Passes {
		register(r)
	}
	return r
}

// dialectNames lists the dialects in order.
func (t *Tool) dialectNames() []string {
	var out []string
	for _, d := range t.Dialects {
		out = append(out, d.Name)
	}
	slices.Sort(out)
	return out
}
