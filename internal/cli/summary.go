package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"freehold/footprint"
	"freehold/iface"
	"freehold/internal/terminal"
	"freehold/ir"
	"freehold/ir/analysis"
)

// memorySummary is what a program does with memory, as its text tells.
type memorySummary struct {
	// allocations counts buffers and tensors; copies, and frees under conditions, count once.
	allocations, copies, conditional int
	copied                           footprint.Size
	// peak is that of the function with the largest one, bound what is the least without
	// other changes: the largest sum of what is alive at a time, without gaps in arenas.
	function          string
	peak, bound       footprint.Size
	arenas, buffers   int
	arena, arenaLeast int64 // bytes
}

// summarize adds up all functions; nil is no program.
func summarize(p *footprint.Program) (s memorySummary) {
	if p == nil {
		return s
	}
	for _, f := range p.Functions {
		s.allocations += f.Allocations + f.Tensors
		s.copies += f.Copies
		s.conditional += f.ConditionalFrees
		s.copied = s.copied.Plus(f.Copied)
	}
	if f := p.Largest(); f != nil {
		s.function, s.peak, s.bound = f.Name, f.Peak(), f.Peak()
	}
	return s
}

// withArenas adds what arenas there are. Those of callees are parts of their callers'; so the
// arenas that count are those that are no argument, or, if there are none, the largest.
func (s memorySummary) withArenas(arenas []*footprint.Arena) memorySummary {
	var largest *footprint.Arena
	add := func(a *footprint.Arena) {
		s.arenas++
		s.arena += a.Bytes
		s.arenaLeast += a.Bound
	}
	for _, a := range arenas {
		s.buffers += len(a.Parts)
		if !a.Buffer.IsBlockArg() {
			add(a)
		}
		if largest == nil || a.Bytes > largest.Bytes {
			largest = a
		}
	}
	if s.arenas == 0 && largest != nil {
		add(largest)
	}
	for _, a := range arenas {
		if name, _ := ir.SymbolName(a.Function); name == s.function && !a.Buffer.IsBlockArg() && s.bound.Bytes >= a.Bytes {
			s.bound.Bytes -= a.Bytes - a.Bound
		}
	}
	return s
}

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
		if _, ok := iface.Function.Of(op.Parent()); !ok {
			return true
		}
		for _, v := range op.Operands().Values() {
			clone := v.DefiningOp()
			if clone == nil || clone.NumResults() != 1 {
				continue
			}
			m, ok := iface.Copy.Of(clone)
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
func printChange(s Streams, o *compileOptions, before, after memorySummary) error {
	if o.json {
		return printChangeJSON(s.Out, before, after)
	}
	w := s.Err
	row := func(what, before, after, note string) { changeRow(w, what, before, after, note) }
	fmt.Fprintln(w, terminal.StyleOf(w).Aside(fmt.Sprintf("%-13s %20s %20s", "", "before", "after")))
	row("allocations", strconv.Itoa(before.allocations), strconv.Itoa(after.allocations), "")
	row("copies", strconv.Itoa(before.copies), strconv.Itoa(after.copies), "")
	row("bytes copied", before.copied.String(), after.copied.String(), "")
	at := ""
	if after.function != "" {
		at = "  in @" + after.function
	}
	row("peak", before.peak.String(), after.peak.String(), at)
	row("lower bound", "", after.bound.String(), "")
	arena := "none"
	note := ""
	if after.arenas > 0 {
		arena = footprint.Bytes(after.arena)
		note = fmt.Sprintf("  of %d buffers", after.buffers)
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

func (s memorySummary) json(bound bool) jsonSummary {
	out := jsonSummary{
		Allocations: s.allocations, Copies: s.copies, Copied: sizeJSON(s.copied), ConditionalFrees: s.conditional, Function: s.function,
		Peak: sizeJSON(s.peak), Arenas: s.arenas, ArenaBytes: s.arena, ArenaLowerBound: s.arenaLeast, ArenaBuffers: s.buffers,
	}
	if bound {
		b := sizeJSON(s.bound)
		out.LowerBound = &b
	}
	return out
}

func printChangeJSON(w io.Writer, before, after memorySummary) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Before jsonSummary `json:"before"`
		After  jsonSummary `json:"after"`
	}{before.json(false), after.json(true)})
}
