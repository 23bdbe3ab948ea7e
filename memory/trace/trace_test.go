package trace_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"freehold/memory/trace"
)

// Two of three pieces are alive at the peak.
func example() *trace.Trace {
	place := func(line int64) trace.Place {
		return trace.Place{Name: "memref.alloc memref<4xf32>", File: "m.mlir", Line: line}
	}
	return &trace.Trace{Function: "main", Events: []trace.Event{
		{Time: 1, ID: 1, Bytes: 1000, Place: place(3)},
		{Time: 2, ID: 2, Bytes: 600, Place: place(4)},
		{Time: 4, Free: true, ID: 1, Bytes: 1000, Place: place(5)},
		{Time: 4, ID: 3, Bytes: 5_000_000_000, Place: place(6)},
		{Time: 7, Free: true, ID: 2, Bytes: 600, Place: place(7)},
	}}
}

func written(t *testing.T, f trace.Format) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := example().Write(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestAtPeak(t *testing.T) {
	peak, alive := example().AtPeak()
	if peak != 5_000_000_600 || len(alive) != 2 || alive[0].ID != 2 || alive[1].ID != 3 {
		t.Errorf("%d bytes, %v", peak, alive)
	}
	if peak, alive := (&trace.Trace{}).AtPeak(); peak != 0 || len(alive) != 0 {
		t.Errorf("%d bytes, %v of nothing", peak, alive)
	}
}

func TestChrome(t *testing.T) {
	var out struct {
		TraceEvents []struct {
			Name, Ph string
			Ts       float64
			ID       int
			Args     map[string]any
		}
	}
	if err := json.Unmarshal(written(t, trace.Chrome), &out); err != nil {
		t.Fatal(err)
	}
	var counts []string
	open := map[int]string{}
	for _, e := range out.TraceEvents {
		switch e.Ph {
		case "C":
			counts = append(counts, fmt.Sprintf("%v:%.0f", e.Ts, e.Args["bytes"]))
		case "b":
			open[e.ID] = e.Name
		case "e":
			if open[e.ID] != e.Name {
				t.Errorf("%q ends, not %q", e.Name, open[e.ID])
			}
			delete(open, e.ID)
		}
	}
	if got, want := strings.Join(counts, " "), "1:1000 2:1600 4:5000000600 7:5000000000"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	if len(open) != 1 {
		t.Errorf("%v are open at the end", open)
	}
}

func TestPyTorch(t *testing.T) {
	v, err := unpickle(written(t, trace.PyTorch))
	if err != nil {
		t.Fatal(err)
	}
	top := v.(map[string]any)
	events := top["device_traces"].([]any)[0].([]any)
	var actions []string
	alive := map[int64]int64{}
	for _, e := range events {
		e := e.(map[string]any)
		action, addr, size := e["action"].(string), e["addr"].(int64), e["size"].(int64)
		actions = append(actions, action)
		frame := e["frames"].([]any)[0].(map[string]any)
		if frame["filename"] != "m.mlir" || frame["line"].(int64) < 3 {
			t.Errorf("the frame is %v", frame)
		}
		switch action {
		case "alloc":
			for other, n := range alive {
				if addr < other+n && other < addr+size {
					t.Errorf("%d overlaps %d", addr, other)
				}
			}
			alive[addr] = size
		case "free_completed":
			if alive[addr] != size {
				t.Errorf("%d bytes are freed, not %d", size, alive[addr])
			}
			delete(alive, addr)
		}
	}
	if got, want := strings.Join(actions, " "), "alloc alloc free_requested free_completed alloc free_requested free_completed"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	segment := top["segments"].([]any)[0].(map[string]any)
	at, active := segment["address"].(int64), int64(0)
	for _, b := range segment["blocks"].([]any) {
		b := b.(map[string]any)
		if b["address"] != at {
			t.Errorf("a block begins at %v, not %d", b["address"], at)
		}
		at += b["size"].(int64)
		if b["state"] == "active_allocated" {
			active += b["size"].(int64)
		}
	}
	if at != segment["address"].(int64)+segment["total_size"].(int64) || active != 5_000_000_000 || segment["active_size"] != active {
		t.Errorf("the segment is %v", segment)
	}
	if path, err := exec.LookPath("python3"); err == nil {
		c := exec.Command(path, "-c", "import pickle, sys; print(len(pickle.load(sys.stdin.buffer)['device_traces'][0]))")
		c.Stdin = bytes.NewReader(written(t, trace.PyTorch))
		if out, err := c.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "7" {
			t.Errorf("python: %v: %s", err, out)
		}
	}
}

// unpickle reads what is written: dictionaries, lists, texts, numbers and truth values.
func unpickle(data []byte) (any, error) {
	type mark struct{}
	var stack []any
	if !bytes.HasPrefix(data, []byte("\x80\x02")) {
		return nil, fmt.Errorf("no pickle of protocol 2")
	}
	items := func() []any {
		i := len(stack) - 1
		for stack[i] != (mark{}) {
			i--
		}
		list := append([]any(nil), stack[i+1:]...)
		stack = stack[:i]
		return list
	}
	for i := 2; i < len(data); {
		op := data[i]
		i++
		switch op {
		case '.':
			if len(stack) != 1 || i != len(data) {
				return nil, fmt.Errorf("%d values at the end", len(stack))
			}
			return stack[0], nil
		case '}':
			stack = append(stack, map[string]any{})
		case ']':
			stack = append(stack, []any{})
		case '(':
			stack = append(stack, mark{})
		case 'X':
			n := int(binary.LittleEndian.Uint32(data[i:]))
			stack = append(stack, string(data[i+4:i+4+n]))
			i += 4 + n
		case 'J':
			stack = append(stack, int64(int32(binary.LittleEndian.Uint32(data[i:]))))
			i += 4
		case 0x8a:
			stack = append(stack, int64(binary.LittleEndian.Uint64(data[i+1:])))
			i += 9
		case 0x88, 0x89:
			stack = append(stack, op == 0x88)
		case 'e':
			list := items()
			stack[len(stack)-1] = append(stack[len(stack)-1].([]any), list...)
		case 'u':
			list := items()
			m := stack[len(stack)-1].(map[string]any)
			for k := 0; k < len(list); k += 2 {
				m[list[k].(string)] = list[k+1]
			}
		default:
			return nil, fmt.Errorf("unknown opcode %q at %d", op, i-1)
		}
	}
	return nil, fmt.Errorf("no end")
}

// pprof is a flag since the tool isn't part of Go's distribution: it is built first.
var pprof = flag.Bool("pprof", false, "read the profile with go tool pprof, too")

// A profile says what is alive, and where it comes from.
func TestPprof(t *testing.T) {
	z, err := gzip.NewReader(bytes.NewReader(written(t, trace.Pprof)))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	p := fields(data)
	text := func(m map[uint64][]any, field uint64) string { return string(p[6][m[field][0].(uint64)].([]byte)) }
	byID := func(field uint64) map[uint64]map[uint64][]any {
		all := map[uint64]map[uint64][]any{}
		for _, x := range p[field] {
			m := fields(x.([]byte))
			all[m[1][0].(uint64)] = m
		}
		return all
	}
	var got []string
	for _, x := range p[1] {
		kind := fields(x.([]byte))
		got = append(got, text(kind, 1)+"/"+text(kind, 2))
	}
	locations, functions := byID(4), byID(5)
	for _, x := range p[2] {
		sample := fields(x.([]byte))
		line := fmt.Sprint(numbers(sample[2][0].([]byte)))
		for _, id := range numbers(sample[1][0].([]byte)) {
			at := fields(locations[id][4][0].([]byte))
			function := functions[at[1][0].(uint64)]
			line += fmt.Sprintf(" %s %s:%v", text(function, 2), text(function, 4), at[2])
		}
		got = append(got, line)
	}
	want := []string{"inuse_objects/count", "inuse_space/bytes",
		"[1 600] memref.alloc memref(4xf32) m.mlir:[4] @main m.mlir:[0]",
		"[1 5000000000] memref.alloc memref(4xf32) m.mlir:[6] @main m.mlir:[0]"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	if *pprof {
		readByTool(t)
	}
}

// fields returns the fields of a message of protocol buffers: numbers and bytes.
func fields(data []byte) map[uint64][]any {
	all := map[uint64][]any{}
	for len(data) > 0 {
		key, n := binary.Uvarint(data)
		x, m := binary.Uvarint(data[n:])
		data = data[n+m:]
		if key&7 == 0 {
			all[key>>3] = append(all[key>>3], x)
			continue
		}
		all[key>>3] = append(all[key>>3], data[:x])
		data = data[x:]
	}
	return all
}

// numbers returns the elements of a packed field.
func numbers(data []byte) (list []uint64) {
	for len(data) > 0 {
		x, n := binary.Uvarint(data)
		list, data = append(list, x), data[n:]
	}
	return list
}

// readByTool reads the profile with the tool that it is for.
func readByTool(t *testing.T) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "peak.pb.gz")
	if err := os.WriteFile(file, written(t, trace.Pprof), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "tool", "pprof", "-lines", "-raw", file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, want := range []string{"inuse_objects/count inuse_space/bytes", " 1 600: 1 2", " 1 5000000000: 3 2", "memref.alloc memref(4xf32) m.mlir:6", "@main m.mlir"} {
		if !strings.Contains(strings.Join(strings.Fields(string(out)), " "), strings.TrimSpace(want)) {
			t.Errorf("%q isn't in\n%s", want, out)
		}
	}
}

// Buffers of no bytes, what ends when something begins or is there for a moment only, names that are no text, and sizes that are
// as large as can be.
func TestOddTraces(t *testing.T) {
	odd := "@\xff\u202e\x1b[2J\"<\\ü"
	odds := &trace.Trace{Function: odd, Events: []trace.Event{
		{Time: 1, ID: 1, Place: trace.Place{Name: odd, File: "\xffm.mlir", Line: 1}},
		{Time: 1, ID: 2, Bytes: 100, Place: trace.Place{Name: "b"}},
		{Time: 1, ID: 3, Place: trace.Place{Name: "c"}},
		{Time: 2, ID: 4, Bytes: 1000, Place: trace.Place{Name: "d"}},
		{Time: 2, ID: 4, Bytes: 1000, Free: true},
		{Time: 2, ID: 5, Bytes: 1 << 50, Place: trace.Place{Name: "e"}},
		{Time: 3, ID: 1, Free: true},
		{Time: 3, ID: 5, Bytes: 1 << 50, Free: true},
	}}
	for _, f := range trace.Formats {
		if err := odds.Write(io.Discard, f); err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
	var b bytes.Buffer
	odds.Write(&b, trace.PyTorch)
	v, err := unpickle(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range v.(map[string]any)["device_traces"].([]any)[0].([]any) {
		e := e.(map[string]any)
		got = append(got, fmt.Sprint(e["action"], " ", e["addr"].(int64)-1<<32, " ", e["size"]))
	}
	if got, want := strings.Join(got, "; "), "alloc 0 100; alloc 512 1000; free_requested 512 1000; free_completed 512 1000; alloc 1536 1125899906842624; "+
		"free_requested 1536 1125899906842624; free_completed 1536 1125899906842624"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	addresses := map[any]bool{}
	for _, x := range v.(map[string]any)["segments"].([]any)[0].(map[string]any)["blocks"].([]any) {
		x := x.(map[string]any)
		if addresses[x["address"]] || x["size"].(int64) == 0 {
			t.Errorf("the block %v has no bytes, or the address of another", x)
		}
		addresses[x["address"]] = true
	}
	if path, err := exec.LookPath("python3"); err == nil {
		c := exec.Command(path, "-c", "import pickle, sys; pickle.load(sys.stdin.buffer)")
		c.Stdin = &b
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("python: %v: %s", err, out)
		}
	}
	var chrome bytes.Buffer
	odds.Write(&chrome, trace.Chrome)
	var out struct {
		TraceEvents []struct {
			Ph   string
			Ts   float64
			Args map[string]any
		}
	}
	if err := json.Unmarshal(chrome.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	var counts []string
	for _, e := range out.TraceEvents {
		if e.Ph == "C" {
			counts = append(counts, fmt.Sprintf("%v:%.0f", e.Ts, e.Args["bytes"]))
		}
	}
	if got, want := strings.Join(counts, " "), "1:100 2:1125899906842724 3:100"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	huge := &trace.Trace{Function: "f", Events: []trace.Event{{ID: 1, Bytes: 1<<63 - 1}, {ID: 2, Bytes: 1<<63 - 1}}}
	if err := huge.Write(io.Discard, trace.PyTorch); err == nil {
		t.Error("there are addresses for more than an address can tell")
	}
}

func TestParseFormat(t *testing.T) {
	for _, f := range trace.Formats {
		if got, err := trace.ParseFormat(string(f)); err != nil || got != f {
			t.Errorf("%s: %v %v", f, got, err)
		}
	}
	if _, err := trace.ParseFormat("xml"); err == nil || err.Error() != `unknown format of traces "xml"; there are chrome, pytorch, pprof` {
		t.Error(err)
	}
}
