package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"

	"freehold/exec/interp"
	"freehold/internal/fileio"
	"freehold/ir"
	"freehold/memory/footprint"
	"freehold/memory/trace"
)

// traceOfRun returns what an execution did with memory on heap and stack.
func traceOfRun(m *interp.MemoryTrace) *trace.Trace {
	t := &trace.Trace{Function: m.Function}
	for _, e := range m.Events {
		if e.Event == "copy" || e.Origin != "heap" && e.Origin != "stack" {
			continue
		}
		x := trace.Event{Time: e.Time, Free: e.Event == "free", ID: e.ID, Bytes: e.Bytes, Place: trace.Place{Name: e.Op, File: e.File, Line: int64(e.Line)}}
		if e.Type != "" && !x.Free {
			x.Name += " " + e.Type
		}
		t.Events = append(t.Events, x)
	}
	return t
}

// traceOfText returns what a function does with memory by its text. Time is the order of the text.
// The error tells that there are unknown sizes.
func traceOfText(f *footprint.Function) (*trace.Trace, error) {
	t := &trace.Trace{Function: f.Name}
	for i, x := range f.Timeline() {
		if !x.Size.IsStatic() {
			return nil, fmt.Errorf("@%s has buffers of unknown size, such as %s: there is no timeline without executing it; see run --memory-trace", f.Name, x.Size)
		}
		place := trace.Place{Name: x.Op.Name()}
		switch {
		case x.Callee != "":
			place.Name = "call of @" + x.Callee
		case x.Value != nil:
			place.Name += " " + x.Value.Type().String()
		}
		if p, ok := ir.SourcePos(x.Op.Loc()); ok {
			place.File, place.Line = p.File(), int64(p.Line)
		}
		t.Events = append(t.Events,
			trace.Event{Time: x.From, ID: i, Bytes: x.Size.Bytes, Place: place},
			trace.Event{Time: x.To, Free: true, ID: i, Bytes: x.Size.Bytes, Place: place})
	}
	begin := map[int]int64{}
	for _, e := range t.Events {
		if !e.Free {
			begin[e.ID] = e.Time
		}
	}
	// What ends at a time makes room for what begins, unless it has only begun itself.
	order := func(e trace.Event) int {
		switch {
		case !e.Free:
			return 1
		case begin[e.ID] == e.Time:
			return 2
		}
		return 0
	}
	slices.SortStableFunc(t.Events, func(a, b trace.Event) int {
		return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(order(a), order(b)))
	})
	return t, nil
}

// writeTrace writes a trace to a file.
func writeTrace(path string, t *trace.Trace, f trace.Format) error {
	var b bytes.Buffer
	if err := t.Write(&b, f); err != nil {
		return err
	}
	return fileio.Write(path, b.Bytes(), io.Discard)
}
