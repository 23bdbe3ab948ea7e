package interp_test

import (
	"fmt"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/exec"
	"freehold/exec/interp"
	"freehold/ir"
	"freehold/ir/asm"
)

// fataler is what tests and property tests have in common.
type fataler interface {
	Helper()
	Fatal(args ...any)
}

// load parses and verifies a program.
func load(t fataler, src string) *ir.Op {
	t.Helper()
	ctx := ir.NewContext(dialect.All()...)
	m, err := asm.Parse(ctx, []byte(src), "test.mlir", asm.ParseOptions{})
	if err == nil {
		err = ir.Verify(m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// runText runs the entry function on arguments given as text.
func runText(t testing.TB, src string, o interp.Options, args ...string) *interp.Result {
	t.Helper()
	m := load(t, src)
	fn, err := interp.Entry(m, "")
	if err != nil {
		t.Fatal(err)
	}
	inputs := exec.NewProgram(m).Function(fn).Type().Inputs
	var values []interp.Value
	for i, a := range args {
		v, err := interp.Parse(fn.Context(), a, inputs[i], nil)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, v)
	}
	res, err := interp.Run(m, fn, values, o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// describe renders findings with their places.
func describe(fs []*exec.Finding) string {
	var b strings.Builder
	for _, f := range fs {
		line := func(d *ir.Diagnostic) string {
			if p, ok := ir.SourcePos(d.Loc); ok {
				return fmt.Sprintf("%d: %s", p.Line, d.Message)
			}
			return d.Message
		}
		fmt.Fprintf(&b, "%s\n%s\n", f.Kind, line(f.Diagnostic))
		for _, n := range f.Notes {
			fmt.Fprintf(&b, "  %s\n", line(n))
		}
	}
	return b.String()
}

func TestFindings(t *testing.T) {
	tests := []struct {
		name, src string
		args      []string
		want      string
	}{
		{"use after free", `func.func @f() {
			%c0 = arith.constant 0 : index
			%x = arith.constant 1.0 : f32
			%m = memref.alloc() : memref<4xf32>
			memref.dealloc %m : memref<4xf32>
			memref.store %x, %m[%c0] : memref<4xf32>
			return
		}`, nil, `use after free
6: memory is used after it was freed
  4: allocated here
  5: freed here
`},
		{"double free", `func.func @f() {
			%m = memref.alloc() : memref<4xf32>
			memref.dealloc %m : memref<4xf32>
			memref.dealloc %m : memref<4xf32>
			return
		}`, nil, `double free
4: memory is freed a second time
  2: allocated here
  3: freed here
`},
		{"free of a part", `func.func @f() {
			%m = memref.alloc() : memref<4xf32>
			%s = memref.subview %m[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
			memref.dealloc %s : memref<2xf32, strided<[1], offset: 1>>
			return
		}`, nil, `invalid free
4: a part of an allocation is freed, which must be freed as a whole
  2: allocated here
`},
		{"free of the last part", `func.func @f() {
			%m = memref.alloc() : memref<4xf32>
			%s = memref.subview %m[2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
			memref.dealloc %s : memref<2xf32, strided<[1], offset: 2>>
			return
		}`, nil, `invalid free
4: a part of an allocation is freed, which must be freed as a whole
  2: allocated here
`},
		{"free by another name of what starts later", `func.func @f() {
			%m = memref.alloc() : memref<4xf32, strided<[1], offset: 2>>
			%c = memref.cast %m : memref<4xf32, strided<[1], offset: 2>> to memref<?xf32, strided<[?], offset: ?>>
			memref.dealloc %c : memref<?xf32, strided<[?], offset: ?>>
			return
		}`, nil, ""},
		{"free of the stack", `func.func @f() {
			%m = memref.alloca() : memref<4xf32>
			memref.dealloc %m : memref<4xf32>
			return
		}`, nil, `invalid free
3: stack memory is freed
  2: allocated on the stack here
`},
		{"free of an argument", `func.func @f(%m: memref<2xi32>) {
			memref.dealloc %m : memref<2xi32>
			return
		}`, []string{"[1, 2]"}, `invalid free
2: memory of an argument, which belongs to the caller, is freed
  1: argument of the program
`},
		{"free of a global", `module {
			memref.global "private" constant @g : memref<2xi32> = dense<[1, 2]>
			func.func @f() {
				%m = memref.get_global @g : memref<2xi32>
				memref.dealloc %m : memref<2xi32>
				return
			}
		}`, nil, `invalid free
5: memory of a global is freed
  2: global defined here
`},
		{"write to a constant", `module {
			memref.global "private" constant @g : memref<2xi32> = dense<[1, 2]>
			func.func @f() {
				%c0 = arith.constant 0 : index
				%x = arith.constant 0 : i32
				%m = memref.get_global @g : memref<2xi32>
				memref.store %x, %m[%c0] : memref<2xi32>
				return
			}
		}`, nil, `undefined behavior
7: a constant global is written
  2: global defined here
`},
		{"out of bounds", `func.func @f(%i: index) -> f32 {
			%z = arith.constant 0.0 : f32
			%m = memref.alloc() : memref<2x3xf32>
			linalg.fill ins(%z : f32) outs(%m : memref<2x3xf32>)
			%c1 = arith.constant 1 : index
			%v = memref.load %m[%c1, %i] : memref<2x3xf32>
			memref.dealloc %m : memref<2x3xf32>
			return %v : f32
		}`, []string{"3"}, `out of bounds
6: index [1, 3] is out of bounds of a memref of size 2x3
  3: allocated here
`},
		{"beyond the allocation", `func.func @f() {
			%c3 = arith.constant 3 : index
			%x = arith.constant 1 : i8
			%m = memref.alloca() : memref<4xi8>
			%r = memref.reinterpret_cast %m to offset: [2], sizes: [4], strides: [1] : memref<4xi8> to memref<4xi8, strided<[1], offset: 2>>
			memref.store %x, %r[%c3] : memref<4xi8, strided<[1], offset: 2>>
			return
		}`, nil, `out of bounds
6: a memref of size 4 reaches beyond its allocation of 4 bytes
  4: allocated on the stack here
`},
		{"slice of a tensor", `func.func @f(%t: tensor<4xi32>, %n: index) -> tensor<?xi32> {
			%s = tensor.extract_slice %t[2] [%n] [1] : tensor<4xi32> to tensor<?xi32>
			return %s : tensor<?xi32>
		}`, []string{"[1, 2, 3, 4]", "3"}, `out of bounds
2: a slice with offset 2, size 3 and stride 1 is out of bounds of dimension 0, which has size 4
`},
		{"uninitialized load", `func.func @f() -> f32 {
			%c0 = arith.constant 0 : index
			%m = memref.alloca() : memref<4xf32>
			%v = memref.load %m[%c0] : memref<4xf32>
			return %v : f32
		}`, nil, `uninitialized read
4: uninitialized memory is read at index [0] of a memref of size 4
  3: allocated on the stack here
`},
		{"uninitialized load for nothing", `func.func @f() {
  %m = memref.alloc() : memref<4xf32>
  %i = arith.constant 0 : index
  %0 = memref.load %m[%i] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
		}`, nil, `uninitialized read
4: uninitialized memory is read at index [0] of a memref of size 4
  2: allocated here
`},
		{"uninitialized tensor", `func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
			%e = tensor.empty() : tensor<4xf32>
			%r = linalg.add ins(%x, %e : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
			return %r : tensor<4xf32>
		}`, []string{"zeros"}, `uninitialized read
3: an undefined element of the tensor that is operand #1 is read
`},
		{"leaks", `func.func @f() -> memref<1xi8> {
			%a = memref.alloc() : memref<4xf32>
			%b = memref.alloc() : memref<1xi8>
			%c = memref.alloc() : memref<2xi64>
			return %b : memref<1xi8>
		}`, nil, `leak
2: memory of 16 bytes is never freed
leak
4: memory of 16 bytes is never freed
`},
		{"division by zero", `func.func @f(%a: i32, %b: i32) -> i32 {
			%q = arith.divsi %a, %b : i32
			return %q : i32
		}`, []string{"1", "0"}, `division by zero
2: division by zero
`},
		{"division of poison by zero", `func.func @f(%b: i32, %w: i128) -> i32 {
			%p = ub.poison : i32
			%q = arith.divui %p, %b : i32
			return %q : i32
		}`, []string{"0", "0"}, `division by zero
3: division by zero
`},
		{"wide division of poison by zero", `func.func @f(%b: i32, %w: i128) -> i128 {
			%p = ub.poison : i128
			%q = arith.divui %p, %w : i128
			return %q : i128
		}`, []string{"0", "0"}, `division by zero
3: division by zero
`},
		{"an element of a vector that is poison", `func.func @f(%a: i32) -> i32 {
			%p = ub.poison : i32
			%v = vector.from_elements %a, %p : vector<2xi32>
			%e:2 = vector.to_elements %v : vector<2xi32>
			%c = arith.index_cast %e#1 : i32 to index
			%m = memref.alloca(%c) : memref<?xi32>
			return %a : i32
		}`, []string{"1"}, `use of poison
6: operand #0 is poison
`},
		{"size mismatch", `func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
			%r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
			return %r : tensor<?x?xf32>
		}`, []string{"zeros:2x3", "zeros:4x2", "zeros:2x2"}, `size mismatch
2: dimension 0 of operand #1 has size 4, where the loop has 3 iterations
`},
		{"assertion", `func.func @f(%ok: i1) {
			cf.assert %ok, "it is not so"
			return
		}`, []string{"false"}, `assertion
2: assertion failed: it is not so
`},
		{"step limit", `func.func @f() {
			cf.br ^loop
		^loop:
			cf.br ^loop
		}`, nil, `step limit
4: the limit of 1000 steps is reached
`},
		{"end of a stack scope", `func.func @f() -> memref<4xf32> {
			%m = memref.alloca_scope -> (memref<4xf32>) {
				%a = memref.alloca() : memref<4xf32>
				memref.alloca_scope.return %a : memref<4xf32>
			}
			memref.copy %m, %m : memref<4xf32> to memref<4xf32>
			return %m : memref<4xf32>
		}`, nil, `use after free
6: stack memory is used after its scope ended
  3: allocated on the stack here
  2: freed here
`},
		{"result that was freed", `func.func @f() -> memref<4xf32> {
			%m = memref.alloc() : memref<4xf32>
			memref.dealloc %m : memref<4xf32>
			return %m : memref<4xf32>
		}`, nil, `use after free
1: result 0 is memory that was freed
  2: allocated here
  3: freed here
`},
		{"loop step", `func.func @f(%s: index) {
			%c0 = arith.constant 0 : index
			%c4 = arith.constant 4 : index
			scf.for %i = %c0 to %c4 step %s {
			}
			return
		}`, []string{"0"}, `undefined behavior
4: a loop has the step 0, which is not positive
`},
		{"endless recursion", `func.func @f() {
			func.call @f() : () -> ()
			return
		}`, nil, `step limit
1: the limit of 1000 steps is reached
`},
		{"none", `func.func @f(%c: i1) -> i64 {
			%c0 = arith.constant 0 : index
			%x = arith.constant 5 : i64
			%m = memref.alloc() : memref<1xi64>
			memref.store %x, %m[%c0] : memref<1xi64>
			%n = bufferization.clone %m : memref<1xi64> to memref<1xi64>
			%v = memref.load %n[%c0] : memref<1xi64>
			%o = bufferization.dealloc (%m, %n : memref<1xi64>, memref<1xi64>) if (%c, %c) retain (%n : memref<1xi64>)
			scf.if %o {
				memref.dealloc %n : memref<1xi64>
			}
			return %v : i64
		}`, []string{"true"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, oneByOne := range []bool{false, true} {
				res := runText(t, tt.src, interp.Options{MaxSteps: 1000, OneByOne: oneByOne}, tt.args...)
				if got := describe(res.Findings); got != tt.want {
					t.Errorf("got\n%swant\n%s", got, tt.want)
				}
			}
		})
	}
}

// TestCopiesOfUndefinedElements checks that undefined elements may be moved
// around, and stay undefined.
func TestCopiesOfUndefinedElements(t *testing.T) {
	res := runText(t, `func.func @f() -> (tensor<3xf32>, memref<3xf32>) {
		%c0 = arith.constant 0 : index
		%c1 = arith.constant 1 : index
		%c2 = arith.constant 2 : index
		%c3 = arith.constant 3 : index
		%x = arith.constant 1.0 : f32
		%e = tensor.empty() : tensor<3xf32>
		%t = tensor.insert %x into %e[%c1] : tensor<3xf32>
		%s = tensor.extract_slice %t[1] [2] [1] : tensor<3xf32> to tensor<2xf32>
		%u = tensor.insert_slice %s into %e[0] [2] [1] : tensor<2xf32> into tensor<3xf32>
		%m = memref.alloc() : memref<3xf32>
		%n = memref.alloca() : memref<3xf32>
		memref.store %x, %n[%c2] : memref<3xf32>
		scf.for %i = %c0 to %c3 step %c1 {
			%v = memref.load %n[%i] : memref<3xf32>
			memref.store %v, %m[%i] : memref<3xf32>
		}
		return %u, %m : tensor<3xf32>, memref<3xf32>
	}`, interp.Options{})
	if got := describe(res.Findings); got != "" {
		t.Fatal(got)
	}
	for i, want := range []string{"[1, ?, ?]", "[?, ?, 1]"} {
		if got := res.Values[i].Text(); got != want {
			t.Errorf("result %d: got %s, not %s", i, got, want)
		}
	}
}

// TestHugeSizes checks that sizes that are out of all proportion are findings.
func TestHugeSizes(t *testing.T) {
	for _, size := range []string{"4611686018427387904", "9223372036854775807", "-1", "99999999999"} {
		for _, body := range []string{
			"%m = memref.alloc(%n, %n) : memref<?x?xf32>",
			"%m = memref.alloca(%n) : memref<?xf64>",
			"%m = memref.alloc(%n) : memref<?x2xf32, strided<[1000000, 1]>>",
			"%m = tensor.empty(%n, %n) : tensor<?x?xf32>",
			"%x = arith.constant 1 : i8\n%m = tensor.splat %x[%n] : tensor<?xi8>",
			"%m = bufferization.alloc_tensor(%n) : tensor<?xi8>",
		} {
			src := "func.func @f(%n: index) {\n" + body + "\nreturn\n}"
			res := runText(t, src, interp.Options{MaxBytes: 1 << 20}, size)
			if len(res.Findings) != 1 || res.Findings[0].Kind != exec.MemoryLimit && res.Findings[0].Kind != exec.SizeMismatch {
				t.Errorf("%s of %s: got %s", body, size, describe(res.Findings))
			}
		}
	}
}
