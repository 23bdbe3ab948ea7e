package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"freehold/compile"
	"freehold/internal/terminal"
	"freehold/internal/textwrap"
	"freehold/ir"
)

// compareOptions are the flags of compare.
type compareOptions struct {
	json    bool
	sizes   sizeFlags
	reading reading
}

func newCompareCommand(s invocation) *cobra.Command {
	var o compareOptions
	c := &cobra.Command{
		Use:   "compare [flags] FILE",
		Short: "Tell what the pipelines of compile make of a program, side by side",
		Long: `compare compiles a program with each pipeline that compile has, and prints a
table: allocations, copies and bytes copied, each counted once, however often it
is executed; the peak of the function that needs most; the size of the largest
arena; frees under conditions; and the time that the passes took. The first row
is the program as it is, with an allocation for each tensor that is computed.

The pipelines are those of compile --deallocation, and mlir: what MLIR's own
passes make of it, buffer-deallocation-pipeline after one-shot-bufferize.`,
		Example: `  freehold compare model.mlir`,
		Args:    takes(1, false, "a FILE"),
		RunE:    func(_ *cobra.Command, args []string) error { return compare(s, &o, args[0]) },
	}
	f := c.Flags()
	f.BoolVar(&o.json, "json", false, "print everything as JSON")
	o.sizes.declare(f)
	o.reading.declare(f)
	return c
}

func compare(s invocation, o *compareOptions, path string) error {
	in, err := readModule(s, path, o.reading)
	if err != nil {
		return err
	}
	if !hasBody(in.module) {
		return noBody(in.name, "compare")
	}
	names, err := o.sizes.names(in)
	if err != nil {
		return err
	}
	first := in.module
	rows, err := compile.Compare(in.session.Passes, func() (*ir.Op, error) {
		if module := first; module != nil {
			first = nil
			return module, nil
		}
		_, doc, err := s.parse(in.src, in.name, o.reading)
		if err != nil {
			return nil, err
		}
		return doc.Module, nil
	})
	if err != nil {
		return err
	}
	for i, x := range rows {
		rows[i] = names.comparison(x)
	}
	if o.json {
		return printComparedJSON(s, rows)
	}
	fmt.Fprintf(s.Out, "%-9s %11s %6s %12s %12s %10s %6s %7s\n%-9s %11s %6s %12s %12s %10s %6s %7s\n",
		"", "", "", "bytes", "", "", "cond.", "", "pipeline", "allocations", "copies", "copied", "peak", "arena", "frees", "time")
	wide := formulas{s.Out, nil}
	for i, x := range rows {
		if x.Refused != "" {
			fmt.Fprintf(s.Out, "%-9s %s\n", rowName(x), x.Refused)
			continue
		}
		arena, took := "none", fmt.Sprintf("%.0f ms", float64(x.Time)/float64(time.Millisecond))
		if x.Arenas > 0 {
			arena = wide.cell(x.ArenaSize)
		}
		if i == 0 {
			arena, took = "", ""
		}
		fmt.Fprintf(s.Out, "%-9s %11d %6d %12s %12s %10s %6d %7s\n", rowName(x), x.Allocations, x.Copies, wide.cell(x.Copied), wide.cell(x.Peaks), arena, x.ConditionalFrees, took)
	}
	wide.print()
	return nil
}

// formulas are the sizes that are too wide for their columns, which stand below the table.
type formulas struct {
	out io.Writer
	all []string
}

// widestCell is how wide a column of sizes is.
const widestCell = 12

// cell returns what stands in the table for a size.
func (f *formulas) cell(size fmt.Stringer) string {
	text := size.String()
	if len(text) <= widestCell {
		return text
	}
	n := slices.Index(f.all, text)
	if n < 0 {
		n = len(f.all)
		f.all = append(f.all, text)
	}
	return fmt.Sprintf("(%d)", n+1)
}

// print writes what stands for a number in the table.
func (f *formulas) print() {
	for n, text := range f.all {
		mark := fmt.Sprintf("(%d)", n+1)
		for _, line := range textwrap.Lines(text, terminal.PlainWidth-6) {
			fmt.Fprintf(f.out, "%-5s %s\n", mark, line)
			mark = ""
		}
	}
}

// rowName is what a row of the comparison is called.
func rowName(x compile.Comparison) string { return cmp.Or(string(x.Deallocation), "program") }

// jsonRow is a row of the comparison as JSON.
type jsonRow struct {
	Pipeline string `json:"pipeline"`
	*jsonSummary
	Seconds float64 `json:"seconds,omitempty"`
	Error   string  `json:"error,omitempty"`
}

func rowJSON(x compile.Comparison) jsonRow {
	r := jsonRow{Pipeline: rowName(x), Seconds: x.Time.Seconds(), Error: x.Refused}
	if x.Refused == "" {
		sum := summaryJSON(x.Summary, x.Deallocation != "")
		r.jsonSummary = &sum
	}
	return r
}

func rowsJSON(rows []compile.Comparison) (out []jsonRow) {
	for _, x := range rows {
		out = append(out, rowJSON(x))
	}
	return out
}

func printComparedJSON(s invocation, rows []compile.Comparison) error {
	e := json.NewEncoder(s.Out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(rowsJSON(rows))
}
