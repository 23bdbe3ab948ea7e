package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"freehold/compile"
	"freehold/internal/terminal"
	"freehold/memory/footprint"
)

// changeRow is a row of the table of what was and what is.
func changeRow(w io.Writer, what, before, after, note string) {
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
	printAttempts(w, res.Attempts)
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
		Attempts    []jsonAttempt      `json:"attempts,omitempty"`
	}{summaryJSON(res.Before, false), summaryJSON(res.After, true), res.Overwritten, attemptsJSON(res.Attempts)})
}

// jsonAttempt is a way to need less memory, as JSON.
type jsonAttempt struct {
	Way       compile.Way `json:"way"`
	Peak      jsonSize    `json:"peak"`
	ExtraWork float64     `json:"extraWork"`
	Chosen    bool        `json:"chosen"`
}

func attemptsJSON(attempts []compile.Attempt) (out []jsonAttempt) {
	for _, a := range attempts {
		out = append(out, jsonAttempt{a.Way, sizeJSON(a.Peak), a.ExtraWork, a.Chosen})
	}
	return out
}
