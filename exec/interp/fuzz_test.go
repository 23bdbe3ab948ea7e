package interp_test

import (
	"bytes"
	"testing"

	"freehold/exec/interp"
	"freehold/ir"
)

// FuzzReadNpy checks that whatever the bytes are, there is an array or an error.
func FuzzReadNpy(f *testing.F) {
	typ := ir.NewContext().RankedTensor([]int64{2, 3}, ir.F32)
	v, err := interp.Random(typ, nil, nil)
	if err != nil {
		f.Fatal(err)
	}
	data, err := interp.WriteNpy(v)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(bytes.Replace(data, []byte("False"), []byte("True "), 1))
	f.Fuzz(func(t *testing.T, data []byte) {
		if v, err := interp.ReadNpy(data, ir.F32); err == nil && v == nil {
			t.Fatal("neither an array nor an error")
		}
	})
}

// FuzzParseMemoryTrace checks that a trace that is read is written as one that is read as the same.
func FuzzParseMemoryTrace(f *testing.F) {
	f.Add([]byte(`{"version":1,"events":[{"kind":"alloc","time":1,"bytes":8}]}`))
	f.Add([]byte(`{"version":2}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		trace, err := interp.ParseMemoryTrace(data)
		if err != nil {
			return
		}
		written, err := trace.JSON()
		if err != nil {
			t.Fatal(err)
		}
		again, err := interp.ParseMemoryTrace(written)
		if err != nil {
			t.Fatalf("%q isn't read: %v", written, err)
		}
		if rewritten, _ := again.JSON(); !bytes.Equal(written, rewritten) {
			t.Errorf("%q becomes %q", written, rewritten)
		}
	})
}
