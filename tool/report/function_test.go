package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"freehold/driver"
	"freehold/tool/report"
)

// view returns a page with one program, and its first function.
func view(t *testing.T, src string) (*report.Page, *report.Function) {
	t.Helper()
	m, err := driver.Freehold().NewSession().Parse([]byte(src), "program.mlir")
	if err != nil {
		t.Fatal(err)
	}
	p := report.New("program.mlir", func(string) []byte { return []byte(src) })
	return p, p.Add("as it is", m.Module).Functions[0]
}

// An arena is shown as its parts, where they are in it, and counts once.
func TestArenaIsUnfolded(t *testing.T) {
	p, f := view(t, `func.func @f(%x: f32) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() {alignment = 64 : i64, freehold.arena} : memref<128xi8>
  %a = memref.view %arena[%c0][] : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %b = memref.view %arena[%c64][] : memref<128xi8> to memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  memref.store %x, %b[%c0] : memref<16xf32>
  memref.dealloc %arena : memref<128xi8>
  return
}`)
	if f.Arenas != 1 || f.Parts != 2 || len(f.Rows) != 3 || f.Arena != 128 {
		t.Fatalf("%d arenas with %d parts, %d rows, and %d bytes in all", f.Arenas, f.Parts, len(f.Rows), f.Arena)
	}
	for _, r := range f.Rows[1:] {
		if r.Arena != 1 || r.Size.Known != 64 {
			t.Errorf("part %+v", r)
		}
	}
	if f.Rows[1].Offset == f.Rows[2].Offset {
		t.Error("both parts are in one place")
	}
	if got, want := p.Answer(), "Peak 128 B at line 8: 50 % is %a, written by linalg.fill."; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}

// Sizes that aren't known are formulas in the names of the program, of which the page makes an example.
func TestFormulas(t *testing.T) {
	p, f := view(t, `func.func @f(%n: index, %x: memref<?x2xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return
}`)
	if got := strings.Join(f.Symbols, " "); got != "%x[0] %n" || f.Dynamic != 1 {
		t.Errorf("symbols %q, %d dynamic", got, f.Dynamic)
	}
	if got, want := p.Answer(), "Peak 4*%n, which is 512 B if %n is 128, at line 2: 100 % is %a, the result of memref.alloc."; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}

// A size has one name, whether the program gives it one or a pass asks the argument again; and what may be large has names, too.
func TestSizesHaveOneName(t *testing.T) {
	p, before := view(t, `func.func @f(%x: tensor<?x2xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x2xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  return %e : tensor<?xf32>
}`)
	if got := strings.Join(before.Symbols, " "); got != "%x[0]" {
		t.Errorf("symbols %q", got)
	}
	if got := p.Answer(); !strings.HasPrefix(got, "Peak 4*%x[0], ") {
		t.Error(got)
	}
}

// What comes again and again is found, with the lines of the first time; what doesn't isn't.
func TestRepeat(t *testing.T) {
	var b strings.Builder
	b.WriteString("func.func @net(%x0: tensor<4xf32>) -> tensor<4xf32> {\n")
	for i := range 5 {
		from := fmt.Sprintf("%%x%d", i)
		for k, op := range []string{"exp", "log", "abs", "ceil", "floor", "negf", "sqrt", "tanh"} {
			name := fmt.Sprintf("%%r%d_%d", i, k)
			if k == 7 {
				name = fmt.Sprintf("%%x%d", i+1)
			}
			fmt.Fprintf(&b, "  %s = linalg.%s ins(%s : tensor<4xf32>) outs(%%x0 : tensor<4xf32>) -> tensor<4xf32>\n", name, op, from)
			from = name
		}
	}
	b.WriteString("  return %x5 : tensor<4xf32>\n}\n")
	_, f := view(t, b.String())
	if r := f.Repeat; r == nil || len(r.Starts) != 6 || r.Operations != 8 || r.From != 2 || r.To != 9 {
		t.Errorf("repeated: %+v", f.Repeat)
	}
	if _, f := view(t, program(3)); f.Repeat != nil {
		t.Errorf("repeated: %+v", f.Repeat)
	}
}

// The picture is well-formed, whatever names there are, and says what the page says.
func TestPicture(t *testing.T) {
	p, _ := view(t, strings.Replace(program(12), "@chain", `@"<&\22>"`, 1))
	var b bytes.Buffer
	if err := p.WritePicture(&b); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(bytes.NewReader(b.Bytes())); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
	}
	if got := b.String(); !strings.Contains(got, p.Answer()) || !strings.Contains(got, "Alive at the peak") {
		t.Errorf("the picture doesn't say what the page does:\n%s", got)
	}
}

// Where it depends on sizes which of two peaks is the largest, both are named, the one that is drawn first.
func TestAnswerOfSeveralPeaks(t *testing.T) {
	p, _ := view(t, `func.func @f(%n: index, %m: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  %b = memref.alloc(%m) : memref<?xf64>
  memref.dealloc %b : memref<?xf64>
  return
}`)
	if got, want := p.Answer(), "Peak 8*%m or 4*%n, which is 1.0 KiB if each of %m, %n is 128, at line 4: 100 % is %b, the result of memref.alloc."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
