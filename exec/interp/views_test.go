package interp_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	checked "freehold/exec"
	"freehold/exec/interp"
)

// lowering has the passes of mlir-opt-19 that make a program on buffers one that
// mlir-cpu-runner-19 runs.
const lowering = "builtin.module(func.func(convert-linalg-to-loops),expand-strided-metadata,lower-affine,convert-scf-to-cf,convert-vector-to-llvm,finalize-memref-to-llvm," +
	"convert-arith-to-llvm,convert-index-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)"

// TestFreedViews frees buffers under the name of a view, and under that of the buffer
// that extract_strided_metadata gives of the view. Whatever the view is, it has the
// pointer to free: natively that frees the allocation. But only what spans the whole
// allocation, or stands for it, may be freed.
func TestFreedViews(t *testing.T) {
	const alloc = "%a = memref.alloc() : memref<64xi8>\n"
	const part = alloc + "%p = memref.subview %a[8] [4] [1] : memref<64xi8> to memref<4xi8, strided<[1], offset: 8>>\n"
	tests := []struct {
		name, program, typ string // the program makes %v, of type typ
		rank               int
		whole              bool
	}{
		{"the buffer", "%v = memref.alloc() : memref<64xi8>\n", "memref<64xi8>", 1, true},
		{"subview", alloc + "%v = memref.subview %a[8] [4] [1] : memref<64xi8> to memref<4xi8, strided<[1], offset: 8>>\n", "memref<4xi8, strided<[1], offset: 8>>", 1, false},
		{"subview at the start", alloc + "%v = memref.subview %a[0] [4] [1] : memref<64xi8> to memref<4xi8, strided<[1]>>\n", "memref<4xi8, strided<[1]>>", 1, false},
		{"view", alloc + "%v = memref.view %a[%c0][] : memref<64xi8> to memref<16xf32>\n", "memref<16xf32>", 1, true},
		{"view of a part", alloc + "%v = memref.view %a[%c0][] : memref<64xi8> to memref<4xf32>\n", "memref<4xf32>", 1, false},
		{"view with a shift", alloc + "%v = memref.view %a[%c8][] : memref<64xi8> to memref<4xf32>\n", "memref<4xf32>", 1, false},
		{"reinterpret_cast", alloc + "%v = memref.reinterpret_cast %a to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<64xi8> to memref<8x8xi8>\n", "memref<8x8xi8>", 2, true},
		{"reinterpret_cast to a part", alloc + "%v = memref.reinterpret_cast %a to offset: [8], sizes: [4], strides: [1] : memref<64xi8> to memref<4xi8, strided<[1], offset: 8>>\n", "memref<4xi8, strided<[1], offset: 8>>", 1, false},
		{"cast", alloc + "%v = memref.cast %a : memref<64xi8> to memref<?xi8>\n", "memref<?xi8>", 1, true},
		{"cast of a part", part + "%v = memref.cast %p : memref<4xi8, strided<[1], offset: 8>> to memref<?xi8, strided<[?], offset: ?>>\n", "memref<?xi8, strided<[?], offset: ?>>", 1, false},
		{"expand_shape", alloc + "%v = memref.expand_shape %a [[0, 1]] output_shape [8, 8] : memref<64xi8> into memref<8x8xi8>\n", "memref<8x8xi8>", 2, true},
		{"expand_shape of a part", part + "%v = memref.expand_shape %p [[0, 1]] output_shape [2, 2] : memref<4xi8, strided<[1], offset: 8>> into memref<2x2xi8, strided<[2, 1], offset: 8>>\n", "memref<2x2xi8, strided<[2, 1], offset: 8>>", 2, false},
		{"collapse_shape", "%a = memref.alloc() : memref<8x8xi8>\n%v = memref.collapse_shape %a [[0, 1]] : memref<8x8xi8> into memref<64xi8>\n", "memref<64xi8>", 1, true},
		{"transpose", "%a = memref.alloc() : memref<2x3xi8>\n%v = memref.transpose %a (i, j) -> (j, i) : memref<2x3xi8> to memref<3x2xi8, strided<[1, 3]>>\n", "memref<3x2xi8, strided<[1, 3]>>", 2, true},
		{"reshape", alloc + "%s = memref.alloca() : memref<1xindex>\nmemref.store %c64, %s[%c0] : memref<1xindex>\n" +
			"%v = memref.reshape %a(%s) : (memref<64xi8>, memref<1xindex>) -> memref<?xi8>\n", "memref<?xi8>", 1, true},
		{"memory_space_cast", "%a = memref.alloc() : memref<64xi8, 1>\n%v = memref.memory_space_cast %a : memref<64xi8, 1> to memref<64xi8>\n", "memref<64xi8>", 1, true},
	}
	functions, calls := "", ""
	for _, tt := range tests {
		elem := "i8"
		if strings.Contains(tt.typ, "f32") {
			elem = "f32"
		}
		base := "%b, %o, %z:" + string('0'+rune(tt.rank)) + ", %t:" + string('0'+rune(tt.rank)) + " = memref.extract_strided_metadata %v : " + tt.typ +
			" -> memref<" + elem + ">, index" + strings.Repeat(", index, index", tt.rank) + "\n"
		for _, free := range []string{"memref.dealloc %v : " + tt.typ + "\n", base + "memref.dealloc %b : memref<" + elem + ">\n"} {
			src := "func.func @main() {\n%c0 = arith.constant 0 : index\n%c8 = arith.constant 8 : index\n%c64 = arith.constant 64 : index\n" +
				tt.program + free + "return\n}\n"
			want := ""
			if !tt.whole && !strings.HasPrefix(free, "%b") {
				want = checked.InvalidFree.String()
			}
			got := ""
			res := runText(t, src, interp.Options{})
			if len(res.Findings) > 0 {
				got = res.Findings[0].Kind.String()
			}
			if got != want {
				t.Errorf("%s: got %q, not %q\n%s", tt.name, got, want, src)
			}
			if tt.name != "memory_space_cast" { // which isn't lowered
				name := fmt.Sprintf("@f%d", strings.Count(calls, "\n"))
				functions += strings.Replace(src, "@main", name, 1)
				calls += "call " + name + "() : () -> ()\n"
			}
		}
	}
	for _, tool := range []string{"mlir-opt-19", "mlir-cpu-runner-19"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	c := exec.Command("sh", "-c", "mlir-opt-19 --pass-pipeline='"+lowering+"' | mlir-cpu-runner-19 -e main -entry-point-result=void -O0")
	c.Stdin = strings.NewReader(functions + "func.func @main() {\n" + calls + "return\n}\n")
	if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("natively: %v\n%.500s", err, out)
	}
}

// A group of a reshape may be empty, for a dimension of size 1.
func TestReshapesWithEmptyGroups(t *testing.T) {
	res := runText(t, `func.func @main() -> i8 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 7 : i8
  %a = memref.alloca() : memref<1x2x2xi8>
  %v = memref.collapse_shape %a [[0, 1], [2], []] : memref<1x2x2xi8> into memref<2x2x1xi8>
  memref.store %x, %v[%c1, %c0, %c0] : memref<2x2x1xi8>
  %y = memref.load %a[%c0, %c1, %c0] : memref<1x2x2xi8>
  return %y : i8
}`, interp.Options{})
	if len(res.Findings) > 0 || len(res.Values) != 1 || fmt.Sprint(res.Values[0].Word) != "7" {
		t.Errorf("got %v, %v", res.Values, res.Findings)
	}
}
