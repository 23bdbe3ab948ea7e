package cli

import (
	"fmt"
	"io"
	"strings"

	"freehold/dialect/dlti"
	"freehold/driver"
	"freehold/internal/fileio"
	"freehold/internal/heapgoal"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

// invocation is what a command works with: the standard streams, and the tool whose dialects and passes it knows.
type invocation struct {
	driver.Streams
	tool *driver.Tool
}

// command is what the program is called on command lines.
func (s invocation) command() string { return strings.TrimSuffix(s.tool.Name, " opt") }

// reporter shows diagnostics, and what commands find out.
type reporter struct{ driver.Reporter }

// newReporter returns a reporter for the text at work.
func newReporter(w io.Writer, src []byte, name string) *reporter {
	r := &reporter{driver.Reporter{Err: w, WholeFiles: true}}
	r.Start(src, name)
	return r
}

// input is the program in a file, with a reporter for its text.
type input struct {
	*reporter
	src     []byte
	name    string
	session *driver.Session
	doc     *asm.Document
	module  *ir.Op
}

// text returns the lines that locations in the file mean.
func (in *input) text() []byte { return driver.SourceText(in.src) }

// entry returns the first function, which of a model is the network itself.
func (in *input) entry() *ir.Op {
	for op := in.module.BodyBlock(0).First(); op != nil; op = op.Next() {
		if interfaces.Function.Has(op) {
			return op
		}
	}
	return nil
}

// readModule reads, parses and verifies the program in a file. What is wrong with its text is
// reported, and the error is notUnderstood then. All commands open their program here.
func readModule(s invocation, path string, how reading) (*input, error) {
	src, name, err := fileio.Read(path, s.In, func(size int) { heapgoal.Set(size, true) })
	if err != nil {
		return nil, err
	}
	in := &input{reporter: newReporter(s.Err, src, name), src: src, name: name}
	in.session, in.doc, err = s.parse(src, name, how)
	if err != nil {
		if in.session != nil {
			driver.Suggest(err, in.session.Context, src, name)
		}
		in.ReportAll(err)
		return nil, notUnderstood{}
	}
	in.module = in.doc.Module
	return in, nil
}

// warnOfIndex says so if numbers of the type index haven't the 64 bits with which executions and proofs count.
func (in *input) warnOfIndex() {
	if at, bits := dlti.IndexBits(in.module); at != nil {
		in.Report(&ir.Diagnostic{Severity: ir.Warning, Loc: at.Loc(), Message: fmt.Sprintf(
			"by its data layout, index has %d bits; it is executed, folded and judged with 64, which is the same where all numbers of that type fit into fewer", bits)})
	}
}

// parse parses and verifies a program, in a session of its own, which is there also if the program is wrong.
func (s invocation) parse(src []byte, name string, how reading) (*driver.Session, *asm.Document, error) {
	given, err := how.version.choice()
	if err != nil {
		return nil, nil, err
	}
	session, p, err := s.tool.Open(src, name, given, how.allowUnregistered)
	if session != nil && how.verbose {
		newReporter(s.Err, src, name).Report(session.Chosen.Note())
	}
	if err != nil {
		return session, nil, err
	}
	return session, p.Document, nil
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
