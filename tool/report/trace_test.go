package report

import (
	"reflect"
	"testing"

	"freehold/exec/interp"
)

// An execution is shown as it was traced: what is freed, what leaks, what is there before and
// after; what is freed without having been allocated is left out.
func TestAddTrace(t *testing.T) {
	p := New("t", nil)
	v := p.AddTrace("executed", &interp.MemoryTrace{Function: "f", PeakBytes: 48, Events: []interp.MemoryEvent{
		{Event: "alloc", ID: 1, Origin: "argument", Type: "memref<2xf32>", Bytes: 8},
		{Event: "alloc", ID: 2, Origin: "global", Bytes: 4, Op: "memref.global"},
		{Event: "alloc", ID: 3, Origin: "heap", Bytes: 16, Op: "memref.alloc", File: "f.mlir", Line: 3},
		{Event: "alloc", ID: 4, Origin: "stack", Bytes: 32, Op: "memref.alloca"},
		{Event: "copy", ID: 3, From: 1, Origin: "heap", Bytes: 8},
		{Event: "free", ID: 4, Origin: "stack", Bytes: 32},
		{Event: "free", ID: 9, Origin: "heap"},
		{Event: "alloc", ID: 5, Origin: "heap", Bytes: 32, Op: "memref.alloc"},
	}})
	f := v.Functions[0]
	if f.Name != "f" || f.Peaks[0].Size.Known != 48 || f.Arena != 48 || f.Bound != 48 || f.Allocations != 3 || f.Copies != 1 || f.Copied.Known != 8 || f.Arguments.Known != 8 || f.Constants.Known != 4 {
		t.Errorf("%+v", f)
	}
	var spans [][2]int
	var leaked []bool
	for _, r := range f.Rows {
		spans, leaked = append(spans, r.Spans...), append(leaked, r.Leaked)
	}
	if !reflect.DeepEqual(spans, [][2]int{{0, 5}, {1, 2}, {4, 5}}) || !reflect.DeepEqual(leaked, []bool{true, false, true}) {
		t.Errorf("alive %v, leaked %v", spans, leaked)
	}
	if len(f.Always) != 2 || len(f.Steps) != 5 || p.Places[f.Rows[0].Place].Line != 3 {
		t.Errorf("%+v", f)
	}
}

// Of many buffers, the largest are shown.
func TestAddTraceOfMany(t *testing.T) {
	tr := &interp.MemoryTrace{Function: "f"}
	for i := range mostTraced + 1 {
		tr.Events = append(tr.Events, interp.MemoryEvent{Event: "alloc", ID: i, Origin: "heap", Bytes: int64(i)}, interp.MemoryEvent{Event: "free", ID: i, Origin: "heap"})
	}
	v := New("t", nil).AddTrace("executed", tr)
	if f := v.Functions[0]; len(f.Rows) != mostTraced || f.Allocations != mostTraced+1 || f.Rows[mostTraced-1].Size.Known != 1 || v.Label != "executed, the largest buffers" {
		t.Errorf("%s: %d rows", v.Label, len(v.Functions[0].Rows))
	}
}
