package cli

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"freehold/compile"
	"freehold/exec/interp"
	"freehold/internal/fileio"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/tool/explain"
	"freehold/tool/report"
)

// reportOptions are the flags of report.
type reportOptions struct {
	output  string
	passes  viewPasses
	reading reading
	trace   string
}

func newReportCommand(s invocation) *cobra.Command {
	var o reportOptions
	c := &cobra.Command{
		Use:   "report [flags] FILE [FILE]",
		Short: "Draw the memory of a program over time, as a page for a browser",
		Long: `report writes a page that shows which buffer is alive when and where it would be
in one arena, how much is alive at each moment, the peak with what is alive
there, the largest buffers, and why there are copies, each with its line of the
source.

A program on tensors is shown as it is, each tensor a buffer, and as the
command compile makes it. Two files are shown side by side. With --memory-trace,
what an execution did is shown beside that. The page is one file, and needs no
network.`,
		Example: `  freehold report model.mlir -o report.html
  freehold report before.mlir after.mlir -o both.html
  freehold run --random --memory-trace trace.json buffers.mlir
  freehold report buffers.mlir --memory-trace trace.json -o executed.html`,
		Args: takes(1, true, "a FILE"),
		RunE: func(_ *cobra.Command, args []string) error { return runReport(s, &o, args) },
	}
	f := c.Flags()
	f.StringVarP(&o.output, "output", "o", "-", "write the page to this `file`; - is standard output")
	f.StringVar(&o.trace, "memory-trace", "", "also show what happened in an execution, from this `file` of run --memory-trace")
	o.passes.declare(c)
	o.reading.declare(f)
	return c
}

func runReport(s invocation, o *reportOptions, paths []string) error {
	if len(paths) > 2 {
		return fmt.Errorf("report takes one FILE, or two to compare: unexpected argument %q", paths[2])
	}
	if err := fileio.Check(o.output); err != nil {
		return err
	}
	sources := map[string][]byte{}
	page := report.New(filepath.Base(paths[0]), func(file string) []byte {
		src, known := sources[file]
		if !known {
			// A trace may have been made from another folder.
			src = sources[filepath.Base(file)]
		}
		return src
	})
	found := false
	for _, path := range paths {
		in, err := readModule(s, path, o.reading)
		if err != nil {
			return err
		}
		found = found || hasBody(in.module)
		sources[in.name] = in.text()
		sources[filepath.Base(in.name)] = sources[in.name]
		if err := o.add(page, in, len(paths) > 1); err != nil {
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
	if err := page.Write(&b); err != nil {
		return err
	}
	return fileio.Write(o.output, b.Bytes(), s.Out)
}

// add shows a program; of two files, each as it is.
func (o *reportOptions) add(page *report.Page, in *input, several bool) error {
	label := "as it is"
	if several {
		label = filepath.Base(in.name)
	}
	if several || !hasTensorOps(in.module) {
		page.Add(label, in.module)
		return nil
	}
	page.Add("tensors, each a buffer", in.module)
	pipeline, err := o.passes.pipeline(compile.Options{Arena: compile.NoArena})
	if err != nil {
		return err
	}
	m, err := in.session.Passes.ParsePipeline(pipeline)
	if err != nil {
		return err
	}
	e, err := explain.Module(in.module, m, explain.Options{Source: sourceOf(in.name, in.text()), LLVM: in.session.LLVM})
	if err != nil {
		in.ReportAll(err)
		return exitStatus(1)
	}
	page.Explain(page.Add("compiled", e.Module), e)
	return nil
}

// hasTensorOps tells whether there is something to bufferize.
func hasTensorOps(module *ir.Op) bool {
	found := false
	module.Walk(func(op *ir.Op) bool {
		found = found || interfaces.HasTensorTypes(op)
		return !found
	})
	return found
}
