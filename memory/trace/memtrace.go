// Package trace writes what happens to memory in the formats of viewers that exist: Chrome
// trace events, which Perfetto opens; snapshots of PyTorch's memory, which its memory viewer
// opens; and pprof profiles of what is alive at the peak. It depends on the standard library
// alone.
package trace

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Trace is what happens to memory while a function runs, or would run.
type Trace struct {
	// Function is its name.
	Function string
	// Events are in the order of time.
	Events []Event
}

// Event is a piece of memory becoming alive, or no longer being so.
type Event struct {
	// Time counts operations.
	Time int64
	// Free tells that the memory is not alive any more.
	Free bool
	// ID numbers the piece of memory: the same for both events.
	ID int
	// Bytes is its size.
	Bytes int64
	Place
}

// Place is what makes a piece of memory, or frees it.
type Place struct {
	// Name is that of the operation, and perhaps the type of what it makes.
	Name string
	// File and Line are its place in the source; Line is 0 if it has none.
	File string
	Line int64
}

// Format is a format of traces.
type Format string

// The formats.
const (
	Chrome  Format = "chrome"
	PyTorch Format = "pytorch"
	Pprof   Format = "pprof"
)

// Formats lists the formats.
var Formats = []Format{Chrome, PyTorch, Pprof}

// ParseFormat returns the format with a name.
func ParseFormat(name string) (Format, error) {
	if f := Format(name); slices.Contains(Formats, f) {
		return f, nil
	}
	var names []string
	for _, f := range Formats {
		names = append(names, string(f))
	}
	return "", fmt.Errorf("unknown format of traces %q; there are %s", name, strings.Join(names, ", "))
}

// Write writes a trace in a format. Linear, but for the sorting of what is alive at the peak.
func (t *Trace) Write(w io.Writer, f Format) error {
	switch f {
	case Chrome:
		return t.writeChrome(w)
	case PyTorch:
		return t.writePyTorch(w)
	case Pprof:
		return t.writePprof(w)
	}
	return fmt.Errorf("unknown format of traces %q", f)
}

// AtPeak returns the largest sum of what is alive at a time, and the events by which that became
// alive, in their order.
func (t *Trace) AtPeak() (bytes int64, alive []Event) {
	var sum int64
	last := -1
	for i, e := range t.Events {
		if e.Free {
			sum -= e.Bytes
			continue
		}
		if sum += e.Bytes; sum > bytes {
			bytes, last = sum, i
		}
	}
	live := map[int]bool{}
	for _, e := range t.Events[:last+1] {
		live[e.ID] = !e.Free
	}
	for _, e := range t.Events[:last+1] {
		if live[e.ID] && !e.Free {
			alive = append(alive, e)
		}
	}
	return bytes, alive
}
