package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"freehold/internal/terminal"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
)

// checkArenas reports parts of arenas that overlap while both are alive.
func checkArenas(r *reporter, arenas []*footprint.Arena) error {
	wrong := false
	for _, a := range arenas {
		if d := a.Check(); d != nil {
			r.Report(d)
			wrong = true
		}
	}
	if wrong {
		return exitStatus(1)
	}
	return nil
}

// copiedArguments counts the results of functions that are copies of arguments which the function
// was given, and adds up their sizes.
func copiedArguments(module *ir.Op) (n int, size footprint.Size) {
	module.Walk(func(op *ir.Op) bool {
		if op.Parent() == nil || !op.Has(ir.TraitReturnLike) {
			return true
		}
		if !interfaces.Function.Has(op.Parent()) {
			return true
		}
		for _, v := range op.Operands().Values() {
			clone := v.DefiningOp()
			if clone == nil || clone.NumResults() != 1 {
				continue
			}
			m, ok := interfaces.Copy.Of(clone)
			if !ok {
				continue
			}
			if source, _ := m(clone); analysis.ViewBase(source).IsBlockArg() && analysis.ViewBase(source).ParentBlock() == op.Parent().BodyBlock(0) {
				n++
				size = size.Plus(footprint.SizeOf(v))
			}
		}
		return true
	})
	return n, size
}

// changeRow is a row of the table of what was and what is.
func changeRow(w io.Writer, what, before, after, note string) {
	fmt.Fprintf(w, "%-13s %20s %20s%s\n", what, before, after, note)
}

// printChange says what compile changed.
func printChange(s Streams, o *compileOptions, before, after footprint.Summary, lost []overwritten) error {
	if o.json {
		return printChangeJSON(s.Out, before, after, lost)
	}
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

func printChangeJSON(w io.Writer, before, after footprint.Summary, lost []overwritten) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Before      jsonSummary   `json:"before"`
		After       jsonSummary   `json:"after"`
		Overwritten []overwritten `json:"overwritten"`
	}{summaryJSON(before, false), summaryJSON(after, true), lost})
}
