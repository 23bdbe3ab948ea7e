package cli

import (
	"io"

	"freehold/driver"
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
