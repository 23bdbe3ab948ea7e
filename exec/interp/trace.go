package interp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"freehold/exec"
	"freehold/ir"
)

// Trace returns a function for [Options.Trace] that writes a line for each
// operation; docs/traces.md describes it. What w returns as an error is ignored.
func Trace(w io.Writer) func(*exec.Traced) {
	return func(t *exec.Traced) {
		var b strings.Builder
		fmt.Fprintf(&b, "%d\t%d\t%s\t", t.Step, t.Depth, place(t.Op.Loc()))
		b.WriteString(strings.Repeat("  ", t.Nesting))
		b.WriteString(t.Op.Name())
		list := func(before string, values []any, typeOf func(i int) ir.Type) {
			for i, v := range values {
				if i > 0 {
					before = ", "
				}
				b.WriteString(before)
				b.WriteString(short(typeOf(i), v))
			}
		}
		list(" ", t.Operands, func(i int) ir.Type { return t.Op.Operand(i).Type() })
		list(" -> ", t.Results, func(i int) ir.Type { return t.Op.Result(i).Type() })
		if t.Err != nil {
			b.WriteString(" !! ")
			b.WriteString(strings.ReplaceAll(t.Err.Error(), "\n", " "))
		}
		b.WriteByte('\n')
		io.WriteString(w, b.String())
	}
}

func place(l ir.Location) string {
	if p, ok := ir.SourcePos(l); ok {
		return fmt.Sprintf("%s:%d:%d", p.File(), p.Line, p.Col)
	}
	return "-"
}

// shortElements is how many elements of a tensor or buffer a trace shows.
const shortElements = 8

// short returns a value on one line.
func short(t ir.Type, v any) string {
	switch v := v.(type) {
	case nil:
		return "?"
	case uint64:
		if exec.IsWord(t) {
			return WordText(t, v)
		}
		return strconv.FormatUint(v, 10)
	case *exec.Tensor:
		return shortTensor(v)
	case *exec.MemRef:
		head := fmt.Sprintf("#%d+%d", v.Alloc.ID, v.Offset)
		if !v.Alloc.Live() {
			return head + " (freed)"
		}
		return head + " size " + sizesText(v.Sizes)
	}
	if v == exec.PoisonValue {
		return "poison"
	}
	return objectText(t, v)
}

func sizesText(sizes []int64) string {
	s := make([]string, len(sizes))
	for i, n := range sizes {
		s[i] = strconv.FormatInt(n, 10)
	}
	if len(s) == 0 {
		return "[]"
	}
	return strings.Join(s, "x")
}

func shortTensor(t *exec.Tensor) string {
	var b strings.Builder
	b.WriteString(sizesText(t.Sizes))
	b.WriteString(" [")
	for i := range min(t.Elements(), shortElements) {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strings.ReplaceAll(ElementText(t, i), "\n", ""))
	}
	if t.Elements() > shortElements {
		b.WriteString(", ...")
	}
	b.WriteByte(']')
	return b.String()
}

// MemoryTrace collects what happens to memory. Its JSON form is described in
// docs/traces.md.
type MemoryTrace struct {
	// Version is that of the format, 1.
	Version int `json:"version"`
	// Function is the function that was executed.
	Function string `json:"function"`
	// Events are in order.
	Events []MemoryEvent `json:"events"`
	// PeakBytes is the most memory that was allocated, Steps the number of executed
	// operations.
	PeakBytes int64 `json:"peakBytes"`
	Steps     int64 `json:"steps"`
}

// MemoryEvent is an allocation, a free or a copy.
type MemoryEvent struct {
	// Time is the number of operations executed before.
	Time int64 `json:"time"`
	// Event is "alloc", "free" or "copy".
	Event string `json:"event"`
	// ID numbers the allocation; of a copy, the one that is written.
	ID int `json:"id"`
	// From is the allocation that a copy reads.
	From int `json:"from,omitempty"`
	// Origin is "heap", "stack", "global", "argument" or "tensor".
	Origin string `json:"origin"`
	Type   string `json:"type,omitempty"`
	Bytes  int64  `json:"bytes"`
	// Live is how many bytes are allocated afterwards, on heap and stack.
	Live int64 `json:"live"`
	// Op is the operation; it is empty where a scope or the program ends.
	Op     string `json:"op,omitempty"`
	File   string `json:"file,omitempty"`
	Line   uint32 `json:"line,omitempty"`
	Column uint32 `json:"column,omitempty"`
}

var originNames = map[exec.Origin]string{
	exec.Heap: "heap", exec.Stack: "stack", exec.Global: "global", exec.Argument: "argument", exec.FromTensor: "tensor",
}

func (t *MemoryTrace) add(e *exec.MemoryEvent) {
	out := MemoryEvent{Time: e.Step, Event: e.Kind, ID: e.Alloc.ID, Origin: originNames[e.Alloc.Origin], Bytes: e.Bytes, Live: e.Live}
	if e.Source != nil {
		out.From = e.Source.ID
	}
	if e.Alloc.Type != nil {
		out.Type = e.Alloc.Type.String()
	}
	if e.Op != nil {
		out.Op = e.Op.Name()
	}
	if p, ok := ir.SourcePos(e.Loc); ok && e.Loc != nil {
		out.File, out.Line, out.Column = p.File(), p.Line, p.Col
	}
	t.Events = append(t.Events, out)
}

// JSON returns the trace as JSON, an event a line.
func (t *MemoryTrace) JSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // types are full of angle brackets
	name, err := json.Marshal(t.Function)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(&b, "{\"version\": %d, \"function\": %s, \"peakBytes\": %d, \"steps\": %d, \"events\": [", t.Version, name, t.PeakBytes, t.Steps)
	for i, e := range t.Events {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n  ")
		if err := enc.Encode(e); err != nil {
			return nil, err
		}
		b.Truncate(b.Len() - 1) // the end of the line
	}
	b.WriteString("\n]}\n")
	return b.Bytes(), nil
}

// ParseMemoryTrace reads the JSON form of a trace. The error says what is wrong with the text.
func ParseMemoryTrace(data []byte) (*MemoryTrace, error) {
	t := &MemoryTrace{}
	if err := json.Unmarshal(data, t); err != nil {
		return nil, fmt.Errorf("no memory trace: %w", err)
	}
	if t.Version != 1 {
		return nil, fmt.Errorf("no memory trace of version 1, but of %d", t.Version)
	}
	return t, nil
}
