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

// changeRow is a row of a table with two columns. What is too wide for a column has lines of its own: formulas, of what MLIR makes of a program and what freehold does.
func changeRow(w io.Writer, what, mlir, freehold, note string) {
	if len(mlir) > 20 || len(freehold) > 20 {
		fmt.Fprintf(w, "%s%s\n", what, note)
		for _, x := range [][2]string{{"mlir", mlir}, {"freehold", freehold}} {
			if x[1] == "" {
				continue
			}
			for i, line := range textwrap.Lines(x[1], terminal.PlainWidth-12) {
				label := x[0]
				if i > 0 {
					label = ""
				}
				fmt.Fprintf(w, "  %-8s %s\n", label, line)
			}
		}
		return
	}
	fmt.Fprintf(w, "%-13s %20s %20s%s\n", what, mlir, freehold, note)
}

// printChange says what compile changed.
func printChange(s invocation, o *compileOptions, res *compile.Result) error {
	if o.json {
		return printChangeJSON(s.Out, res)
	}
	reference, after := res.Reference, res.After
	w := s.Err
	row := func(what, mlir, after, note string) {
		if reference.Refused != "" && mlir != "" {
			mlir = "-"
		}
		changeRow(w, what, mlir, after, note)
	}
	fmt.Fprintln(w, terminal.StyleOf(w).Aside(fmt.Sprintf("%-13s %20s %20s", "", "mlir", "freehold")))
	row("allocations", strconv.Itoa(reference.Allocations), strconv.Itoa(after.Allocations), "")
	row("copies", strconv.Itoa(reference.Copies), strconv.Itoa(after.Copies), "")
	row("bytes copied", reference.Copied.String(), after.Copied.String(), "")
	at := ""
	if after.Function != "" {
		at = "  in " + shownName(after.Function)
	}
	row("peak", reference.Peaks.String(), after.Peaks.String(), at)
	printAttempts(w, res.Attempts)
	row("lower bound", "", after.Bounds.String(), "")
	arena := "none"
	note := ""
	if after.Arenas > 0 {
		arena = after.ArenaSize.String()
		note = fmt.Sprintf("  of %d buffers", after.ArenaBuffers)
		if after.Arenas > 1 {
			note = fmt.Sprintf("  the largest of %d, of %d buffers", after.Arenas, after.ArenaBuffers)
		}
	}
	row("arena", "", arena, note)
	for _, m := range res.Memories {
		note := ""
		if m.Needed.IsStatic() {
			note = fmt.Sprintf("  of %s, %.3g%%, space %d", footprint.Bytes(m.Capacity), 100*float64(m.Needed.Bytes)/float64(m.Capacity), m.Space)
		}
		row(m.Name, "", m.Needed.String(), note)
	}
	if because := deallocationNote(res); because != "" {
		row("frees", "", string(res.Deallocation), because)
	}
	if n := res.CopiedArguments; n > 0 {
		fmt.Fprintf(w, "%s, %s;\n--drop-equivalent-results leaves such results out\n", counted(n, "result is a copy of an argument", "results are copies of arguments"), res.CopiedBytes)
	}
	for _, a := range res.Overwritten {
		fmt.Fprintf(w, "%s argument %d of @%s: the function works in its buffer, whose contents are lost to the caller\n", terminal.StyleOf(w).Heading("overwritten:"), a.Number, a.Function)
	}
	return nil
}

// deallocationNote says why frees are inserted by another way than ownership.
func deallocationNote(res *compile.Result) string {
	for _, x := range res.Others {
		switch {
		case x.Deallocation != compile.Ownership:
		case x.Refused != "":
			return "  ownership refuses the program: " + x.Refused
		default:
			return fmt.Sprintf("  by ownership: %s, %s, %s", x.Peak, counted(x.Allocations, "allocation", "allocations"), counted(x.Copies, "copy", "copies"))
		}
	}
	return ""
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
		Before       jsonSummary          `json:"before"`
		Reference    jsonRow              `json:"reference"`
		After        jsonSummary          `json:"after"`
		Deallocation compile.Deallocation `json:"deallocation,omitempty"`
		Others       []jsonRow            `json:"otherDeallocations,omitempty"`
		Overwritten  []compile.Argument   `json:"overwritten"`
		Attempts     []jsonAttempt        `json:"attempts,omitempty"`
		Memories     []jsonMemoryUse      `json:"memories,omitempty"`
	}{summaryJSON(res.Before, false), rowJSON(res.Reference), summaryJSON(res.After, true), res.Deallocation, rowsJSON(res.Others), res.Overwritten, attemptsJSON(res.Attempts), memoriesJSON(res.Memories)})
}

// jsonAttempt is a way to need less memory, as JSON.
type jsonAttempt struct {
	Way       compile.Way `json:"way"`
	Peak      jsonSize    `json:"peak"`
	ExtraWork float64     `json:"extraWork"`
	Refused   bool        `json:"refused,omitempty"`
	Chosen    bool        `json:"chosen"`
}

func attemptsJSON(attempts []compile.Attempt) (out []jsonAttempt) {
	for _, a := range attempts {
		out = append(out, jsonAttempt{a.Way, sizeJSON(a.Peak), a.ExtraWork, a.Refused, a.Chosen})
	}
	return out
}
