package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"freehold/footprint"
	"freehold/internal/roads"
	"freehold/ir"
	"freehold/pass"
)

// compareOptions are the flags of compare.
type compareOptions struct {
	json       bool
	allowUnreg bool
}

func newCompareCommand(s Streams) *cobra.Command {
	var o compareOptions
	c := &cobra.Command{
		Use:   "compare [flags] FILE",
		Short: "Tell what the pipelines of compile make of a program, side by side",
		Long: `compare compiles a program on each road that compile can take, and prints a
table: allocations, copies, and bytes copied, each counted once in the text; the
peak of the function with the largest; the size of its arenas; frees under
conditions; and the time that the passes took. The first row is the program as
it is, each tensor of which counts as an allocation.

The roads are those of compile --deallocation, and mlir: what MLIR's own passes
make of it, buffer-deallocation-pipeline after one-shot-bufferize.`,
		Example: `  freehold compare model.mlir`,
		Args:    takes(1, false, "a FILE"),
		RunE:    func(_ *cobra.Command, args []string) error { return compare(s, &o, args[0]) },
	}
	f := c.Flags()
	f.BoolVar(&o.json, "json", false, "print everything as JSON")
	f.BoolVar(&o.allowUnreg, "allow-unregistered-dialect", false, "accept operations of unknown dialects")
	return c
}

// compared is what a road makes of a program.
type compared struct {
	name string
	memorySummary
	seconds float64
	err     string
}

func compare(s Streams, o *compareOptions, path string) error {
	in, err := readModule(s, path, o.allowUnreg)
	if err != nil {
		return err
	}
	rows := []compared{{name: "program", memorySummary: summarize(footprint.Analyze(in.module))}}
	for _, road := range roads.All() {
		row, err := tryRoad(road, in.src, in.name, o.allowUnreg)
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	if o.json {
		return printComparedJSON(s, rows)
	}
	fmt.Fprintf(s.Out, "%-9s %11s %6s %12s %12s %10s %6s %7s\n%-9s %11s %6s %12s %12s %10s %6s %7s\n",
		"", "", "", "bytes", "", "", "cond.", "", "road", "allocations", "copies", "copied", "peak", "arena", "frees", "time")
	for i, x := range rows {
		if x.err != "" {
			fmt.Fprintf(s.Out, "%-9s %s\n", x.name, x.err)
			continue
		}
		arena, took := "none", fmt.Sprintf("%.0f ms", x.seconds*1000)
		if x.arenas > 0 {
			arena = footprint.Bytes(x.arena)
		}
		if i == 0 {
			arena, took = "", ""
		}
		fmt.Fprintf(s.Out, "%-9s %11d %6d %12s %12s %10s %6d %7s\n", x.name, x.allocations, x.copies, x.copied, x.peak, arena, x.conditional, took)
	}
	return nil
}

// tryRoad compiles a program on a road. What the road doesn't take is no error.
func tryRoad(road roads.Road, src []byte, name string, allowUnregistered bool) (compared, error) {
	out := compared{name: road.Name}
	session, doc, err := parse(src, name, allowUnregistered)
	if err != nil {
		return out, err
	}
	arena := "none"
	if road.Arenas {
		arena = "alloc"
	}
	pm, err := session.Passes.ParsePipeline(road.Pipeline(arena, 0))
	if err != nil {
		return out, err
	}
	var first *ir.Diagnostic
	run := &pass.Runner{VerifyEach: true, Sink: func(d *ir.Diagnostic) {
		if first == nil && d.Severity == ir.Error {
			first = d
		}
	}, Text: func([]byte) {}}
	start := time.Now()
	err = run.Run(pm, doc.Module)
	out.seconds = time.Since(start).Seconds()
	if err != nil {
		if !errors.As(err, &first) && first == nil {
			out.err = err.Error()
			return out, nil
		}
		out.err = first.Message
		if p, ok := ir.SourcePos(first.Loc); ok {
			out.err = fmt.Sprintf("line %d: %s", p.Line, first.Message)
		}
		out.err, _, _ = strings.Cut(out.err, "\n")
		return out, nil
	}
	out.memorySummary = summarize(footprint.Analyze(doc.Module)).withArenas(footprint.Arenas(doc.Module))
	return out, nil
}

func printComparedJSON(s Streams, rows []compared) error {
	type row struct {
		Road string `json:"road"`
		*jsonSummary
		Seconds float64 `json:"seconds,omitempty"`
		Error   string  `json:"error,omitempty"`
	}
	var out []row
	for i, x := range rows {
		r := row{Road: x.name, Seconds: x.seconds, Error: x.err}
		if x.err == "" {
			sum := x.json(i > 0)
			r.jsonSummary = &sum
		}
		out = append(out, r)
	}
	e := json.NewEncoder(s.Out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
