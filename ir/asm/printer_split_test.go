package asm_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"freehold/ir/asm"
)

// longSource is a program that several threads print: a heavy module among small
// operations, with aliases that first come up in different parts, in nested
// operations, in headers, and where they are deferred.
func longSource() string {
	var b strings.Builder
	b.WriteString("#loc = loc(\"late\":7:7)\nmodule {\n")
	for i := range 700 {
		fmt.Fprintf(&b, "builtin.module { %%c = t.named : i32 \"u\"(%%c) {m%d = affine_map<(d0) -> (d0 + %d)>} : (i32) -> () loc(\"f\":%d:1) }\n", i%7, (i*37)%400, i%300)
	}
	b.WriteString("builtin.module attributes {a = affine_map<(d0) -> (d0 + 1000)>} {\n%first = t.named : i32\n")
	for i := range 1500 {
		fmt.Fprintf(&b, "%%a%d = t.named : i32 loc(fused<affine_map<(d0) -> (d0 * %d)>>[\"g\":%d:1])\n", i, i/2, i/3)
		fmt.Fprintf(&b, "\"u\"(%%a%d, %%first) {n = affine_map<(d0) -> (d0 + %d)>, l = loc(unknown), d = [distinct[%d]<%d>, distinct[%d]<>]} : (i32, i32) -> () loc(#loc)\n", i, (i*31)%900, (i*13)%700, (i*13)%700, 1000+(i*17)%500)
	}
	b.WriteString("\"r\"() ({^bb0(%x: memref<2xf32, affine_map<(d0) -> (d0 * 5)>> loc(\"arg\":1:1)):\n")
	for i := range 1200 {
		fmt.Fprintf(&b, "%%p%d:2 = \"pair\"() : () -> (i32, i32)\n", i)
	}
	b.WriteString("}) : () -> ()\n}\n}\n")
	return b.String()
}

func TestPrintInParallel(t *testing.T) {
	d := &asm.Document{Module: parseFormatted(t, longSource())}
	for _, o := range []asm.PrintOptions{
		{}, {Generic: true}, {DebugInfo: true}, {DebugInfo: true, Generic: true},
		{DebugInfo: true, PrettyDebugInfo: true}, {ValueUsers: true}, {UniqueSSAIDs: true}, {LocalScope: true},
	} {
		o.AssumeVerified, o.Threads = true, 1
		want := asm.PrintDocument(d, o)
		o.Threads = 4
		if got := asm.PrintDocument(d, o); !bytes.Equal(got, want) {
			t.Errorf("%+v: %s", o, firstDifference(got, want))
		}
		var b bytes.Buffer
		if err := asm.WriteDocument(&b, d, o); err != nil || !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%+v: written: %v, %s", o, err, firstDifference(b.Bytes(), want))
		}
	}
}

// Without aliases, parts are written while others are printed.
func TestWriteInParallel(t *testing.T) {
	var b strings.Builder
	for i := range 30000 {
		fmt.Fprintf(&b, "builtin.module attributes {n = %d} { %%c = t.named : i32 }\n", i)
	}
	d := &asm.Document{Module: parseFormatted(t, b.String())}
	want := asm.PrintDocument(d, asm.PrintOptions{AssumeVerified: true, Threads: 1})
	var parts partWriter
	if err := asm.WriteDocument(&parts, d, asm.PrintOptions{AssumeVerified: true, Threads: 3}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(parts.text, want) {
		t.Error(firstDifference(parts.text, want))
	}
	if parts.n < 50 {
		t.Errorf("written in %d parts", parts.n)
	}
	parts = partWriter{limit: 1000}
	if err := asm.WriteDocument(&parts, d, asm.PrintOptions{AssumeVerified: true, Threads: 3}); err != errFull {
		t.Errorf("error %v", err)
	}
}

var errFull = fmt.Errorf("full")

type partWriter struct {
	text  []byte
	n     int
	limit int
}

func (w *partWriter) Write(b []byte) (int, error) {
	w.n++
	w.text = append(w.text, b...)
	if w.limit > 0 && len(w.text) > w.limit {
		return 0, errFull
	}
	return len(b), nil
}

func firstDifference(got, want []byte) string {
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range w {
		if i >= len(g) || !bytes.Equal(g[i], w[i]) {
			return fmt.Sprintf("line %d of %d:\n%.200s\nwant:\n%.200s", i+1, len(w), bytes.Join(g[min(i, len(g)):min(i+1, len(g))], nil), w[i])
		}
	}
	return "equal"
}
