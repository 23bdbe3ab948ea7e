package cli

import (
	"io"

	"freehold/driver"
	"freehold/internal/fileio"
	"freehold/internal/heapgoal"
	"freehold/ir"
	"freehold/ir/asm"
)

// tool is all that freehold's commands know.
var tool = driver.Freehold()

// Streams are the standard streams of a command.
type Streams = driver.Streams

// reporter shows diagnostics, and what commands find out.
type reporter struct{ driver.Reporter }

// newReporter returns a reporter for the text at work.
func newReporter(w io.Writer, src []byte, name string) *reporter {
	r := &reporter{driver.Reporter{Err: w}}
	r.Start(src, name)
	return r
}

// input is the module in a file, with a reporter for its text.
type input struct {
	*reporter
	src    []byte
	name   string
	module *ir.Op
}

// readModule reads, parses and verifies the module in a file. What is wrong with it is
// reported, see [reporter.load].
func readModule(s Streams, path string, allowUnregistered bool) (*input, error) {
	src, name, err := fileio.Read(path, s.In)
	if err != nil {
		return nil, err
	}
	heapgoal.Set(len(src), true)
	in := &input{reporter: newReporter(s.Err, src, name), src: src, name: name}
	in.module, err = in.load(src, name, allowUnregistered)
	return in, err
}

// load parses and verifies a module. What is wrong with it is reported, and the
// error is notUnderstood then.
func (r *reporter) load(src []byte, name string, allowUnregistered bool) (*ir.Op, error) {
	doc, err := r.loadDocument(src, name, allowUnregistered)
	if err != nil {
		return nil, err
	}
	return doc.Module, nil
}

// loadDocument is load of what the text keeps beside the module, too.
func (r *reporter) loadDocument(src []byte, name string, allowUnregistered bool) (*asm.Document, error) {
	session := tool.NewSession()
	session.Context.AllowUnregistered = allowUnregistered
	p, err := session.Parse(src, name)
	if err != nil {
		r.ReportAll(err)
		return nil, notUnderstood{}
	}
	return p.Document, nil
}

// sourceOf returns the text of the one file that a command reads.
func sourceOf(name string, src []byte) func(file string) []byte {
	return func(file string) []byte {
		if file == name {
			return src
		}
		return nil
	}
}
