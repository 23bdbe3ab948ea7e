package cli

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"freehold/compile"
	"freehold/exec/interp"
	"freehold/internal/fileio"
	"freehold/internal/terminal"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/tool/explain"
	"freehold/tool/report"
)

// reportOptions are the flags of report.
type reportOptions struct {
	output  string
	format  string
	open    bool
	passes  fittingPasses
	reading reading
	trace   string
	noTry   bool
}

func newReportCommand(s invocation) *cobra.Command {
	var o reportOptions
	c := &cobra.Command{
		Use:   "report [flags] FILE [FILE]",
		Short: "Draw the memory of a program over time, as a page for a browser",
		Long: `report writes a page about the memory of a program. It first says how much the
program needs at most, for what, and how much it was before. Then it shows when
each buffer is alive and where it is, why there are copies and allocations, what
was tried and would need less, and what is overwritten, with lines of the
source.

A program on tensors is shown as it is, with a buffer for each tensor, and as
the command compile makes it; arenas are shown by their parts. If two programs
are given, the first is the one before: they are compared as they are or, if
both are on tensors, as they are compiled. With --max-memory, they are compiled
to fit into that limit, as the command compile does it. With --memory-trace, the
page also shows what an execution did. The page is one file, and needs no
network.

If the file ends in .svg, or with --format svg, report draws a picture of what
the page says first, which fits into a comment on a change.

On a terminal, the page goes to NAME.report.html in the current folder, where
NAME is the program's, unless -o names another file.`,
		Example: `  freehold report model.mlir -o report.html
  freehold report --open model.mlir
  freehold report before.mlir after.mlir -o change.svg
  freehold run --random --memory-trace trace.json buffers.mlir
  freehold report buffers.mlir --memory-trace trace.json -o executed.html`,
		Args: takes(1, true, "a FILE"),
		RunE: func(_ *cobra.Command, args []string) error { return runReport(s, &o, args) },
	}
	f := c.Flags()
	f.StringVarP(&o.output, "output", "o", "", "write the page to this `file`; - is standard output")
	f.Lookup("output").DefValue = "standard output, unless it is a terminal"
	f.StringVar(&o.format, "format", "", "`what` is written: html, a page, or svg, a picture (default: what the name of the file ends in, or html)")
	f.BoolVar(&o.open, "open", false, "show the page, in the browser that the desktop opens it with")
	f.StringVar(&o.trace, "memory-trace", "", "also show what happened in an execution, from this `file` of run --memory-trace")
	o.passes.declare(c)
	f.BoolVar(&o.noTry, "no-try", false, "don't try what would need less")
	o.reading.declare(f)
	return c
}

func runReport(s invocation, o *reportOptions, paths []string) error {
	if len(paths) > 2 {
		return fmt.Errorf("report takes one FILE, or two to compare: unexpected argument %q", paths[2])
	}
	if err := o.choose(s, paths); err != nil {
		return err
	}
	if err := fileio.Check(o.output); err != nil {
		return err
	}
	sources := map[string][]byte{}
	title := filepath.Base(paths[0])
	if len(paths) > 1 {
		title = filepath.Base(paths[1]) + ", compared with " + title
	}
	page := report.New(title, func(file string) []byte {
		src, known := sources[file]
		if !known {
			// A trace may have been made from another folder.
			src = sources[filepath.Base(file)]
		}
		return src
	})
	var inputs []*input
	found, onTensors := false, 0
	for _, path := range paths {
		in, err := readModule(s, path, o.reading)
		if err != nil {
			return err
		}
		found = found || hasBody(in.module)
		if hasTensorOps(in.module) {
			onTensors++
		}
		sources[in.name] = in.text()
		sources[filepath.Base(in.name)] = sources[in.name]
		inputs = append(inputs, in)
	}
	for _, in := range inputs {
		label := ""
		if len(inputs) > 1 {
			if label = filepath.Base(in.name); filepath.Base(inputs[0].name) == filepath.Base(inputs[1].name) {
				label = in.name
			}
		}
		if err := o.add(page, in, label, onTensors == len(inputs)); err != nil {
			return err
		}
	}
	if !found {
		return noBody(strings.Join(paths, ", "), "draw")
	}
	if o.trace != "" {
		data, name, err := fileio.Read(o.trace, s.In, nil)
		if err != nil {
			return err
		}
		t, err := interp.ParseMemoryTrace(data)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		page.AddTrace("executed", t)
	}
	var b bytes.Buffer
	write := page.Write
	if o.format == "svg" {
		write = page.WritePicture
	}
	if err := write(&b); err != nil {
		return err
	}
	if err := fileio.Write(o.output, b.Bytes(), s.Out); err != nil || o.output == "-" {
		return err
	}
	s.say(page.Answer())
	fmt.Fprintln(s.Err, o.output)
	if o.open {
		return openFile(o.output)
	}
	return nil
}

// choose chooses what is written, and where, as far as flags don't say it.
func (o *reportOptions) choose(s invocation, paths []string) error {
	if o.format == "" {
		switch strings.ToLower(filepath.Ext(o.output)) {
		case "", ".html", ".htm":
			o.format = "html"
		case ".svg":
			o.format = "svg"
		default:
			return fmt.Errorf("a report is a page, .html, or a picture, .svg, and not %s; --format says which one a file with another name is", filepath.Ext(o.output))
		}
	}
	if o.format != "html" && o.format != "svg" {
		return fmt.Errorf("--format is html or svg, not %q", o.format)
	}
	if o.open && o.output == "-" {
		return fmt.Errorf("--open shows a file, and standard output is none")
	}
	if o.output != "" {
		return nil
	}
	o.output = "-"
	if o.open || terminal.IsTerminal(s.Out) {
		last := filepath.Base(paths[len(paths)-1])
		if last == "-" {
			last = "program"
		}
		o.output = strings.TrimSuffix(last, filepath.Ext(last)) + ".report." + o.format
	}
	return nil
}

// openFile has the desktop show a file.
func openFile(path string) error {
	command := []string{"xdg-open", path}
	switch runtime.GOOS {
	case "darwin":
		command = []string{"open", path}
	case "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler", path}
	}
	if err := exec.Command(command[0], command[1:]...).Run(); err != nil {
		return fmt.Errorf("%s is written, but can't be shown: %s: %w", path, command[0], err)
	}
	return nil
}

// add shows a program; one of several, which has a label, as it is, or compiled, if all are on tensors.
func (o *reportOptions) add(page *report.Page, in *input, label string, compiled bool) error {
	switch {
	case label != "":
	case compiled:
		page.Add("before", in.module)
		label = "compiled"
	default:
		label = "as it is"
	}
	if !compiled {
		page.Add(label, in.module)
		return nil
	}
	given := ir.CloneDetached(in.module)
	c, err := o.passes.compilation(in, compile.Options{})
	if err != nil {
		return err
	}
	e, err := c.Explain(in.module)
	if err != nil {
		in.ReportAll(err)
		return exitStatus(statusWrong)
	}
	groups := explain.Groups(e.Items)
	if !o.noTry {
		c.Try(given, e, groups, reportTries*explain.Tries(given))
	}
	page.Explain(page.Add(label, e.Module), e, groups)
	return nil
}

// reportTries is how many times as much is tried for a page as for an answer on a terminal, for which somebody waits.
const reportTries = 4

// hasTensorOps tells whether there is something to bufferize.
func hasTensorOps(module *ir.Op) bool {
	found := false
	module.Walk(func(op *ir.Op) bool {
		found = found || interfaces.HasTensorTypes(op)
		return !found
	})
	return found
}
