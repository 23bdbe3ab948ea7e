package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"freehold/compile"
	"freehold/internal/terminal"
	"freehold/internal/textwrap"
	"freehold/memory/footprint"
)

// changeRow is a row of the table of what was and what is. What is too wide for a column has lines of its own.
func changeRow(w io.Writer, what, before, after, note string) {
	if len(before) > 20 || len(after) > 20 {
		fmt.Fprintf(w, "%s%s\n", what, note)
		for _, x := range [][2]string{{"before", before}, {"after", after}} {
			if x[1] == "" {
				continue
			}
			for i, line := range textwrap.Lines(x[1], terminal.PlainWidth-11) {
				label := x[0]
				if i > 0 {
					label = ""
				}
				fmt.Fprintf(w, "  %-7s %s\n", label, line)
			}
		}
		return
	}
	fmt.Fprintf(w, "%-13s %20s %20s%s\n", what, before, after, note)
}

// printChange says what compile changed.
func printChange(s invocation, o *compileOptions, res *compile.Result) error {
	if o.json {
		return printChangeJSON(s.Out, res)
	}
	before, after := res.Before, res.After
	w := s.Err
	row := func(what, before, after, note string) { changeRow(w, what, before, after, note) }
	fmt.Fprintln(w, terminal.StyleOf(w).Aside(fmt.Sprintf("%-13s %20s %20s", "", "before", "after")))
	row("allocations", strconv.Itoa(before.Allocations), strconv.Itoa(after.Allocations), "")
	row("copies", strconv.Itoa(before.Copies), strconv.Itoa(after.Copies), "")
	row("bytes copied", before.Copied.String(), after.Copied.String(), "")
	at := ""
	if after.Function != "" {
		at = "  in " + shownName(after.Function)
	}
	row("peak", before.Peak.String(), after.Peak.String(), at)
	row("lower bound", "", after.Bound.String(), "")
	arena := "none"
	note := ""
	if after.Arenas > 0 {
		arena = footprint.Bytes(after.ArenaBytes)
		note = fmt.Sprintf("  of %d buffers", after.ArenaBuffers)
	}
	row("arena", "", arena, note)
	if n := res.CopiedArguments; n > 0 {
		fmt.Fprintf(w, "%s, %s;\n--drop-equivalent-results leaves such results out\n", counted(n, "result is a copy of an argument", "results are copies of arguments"), res.CopiedBytes)
	}
	for _, a := range res.Overwritten {
		fmt.Fprintf(w, "%s argument %d of @%s: the function works in its buffer, whose contents are lost to the caller\n", terminal.StyleOf(w).Heading("overwritten:"), a.Number, a.Function)
	}
	return nil
}

// jsonSummary is a summary as JSON.
type jsonSummary struct {
	Allocations      int       `json:"allocations"`
	Copies           int       `json:"copies"`
	Copied           jsonSize  `json:"copied"`
	ConditionalFrees int       `json:"conditionalFrees"`
	Function         string    `json:"function"`
	Peak             jsonSize  `json:"peak"`
	LowerBound       *jsonSize `json:"lowerBound,omitempty"`
	Arenas           int       `json:"arenas"`
	ArenaBytes       int64     `json:"arenaBytes"`
	ArenaLowerBound  int64     `json:"arenaLowerBound"`
	ArenaBuffers     int       `json:"arenaBuffers"`
}

func summaryJSON(s footprint.Summary, bound bool) jsonSummary {
	out := jsonSummary{
		Allocations: s.Allocations, Copies: s.Copies, Copied: sizeJSON(s.Copied), ConditionalFrees: s.ConditionalFrees, Function: s.Function,
		Peak: sizeJSON(s.Peak), Arenas: s.Arenas, ArenaBytes: s.ArenaBytes, ArenaLowerBound: s.ArenaBound, ArenaBuffers: s.ArenaBuffers,
	}
	if bound {
		b := sizeJSON(s.Bound)
		out.LowerBound = &b
	}
	return out
}

func printChangeJSON(w io.Writer, res *compile.Result) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Before      jsonSummary        `json:"before"`
		After       jsonSummary        `json:"after"`
		Overwritten []compile.Argument `json:"overwritten"`
	}{summaryJSON(res.Before, false), summaryJSON(res.After, true), res.Overwritten})
}
