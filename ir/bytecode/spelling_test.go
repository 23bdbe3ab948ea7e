package bytecode_test

import (
	"strings"
	"testing"

	"freehold/dialect/builtin"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/bytecode"
)

// foreign writes a program whose operations the writer doesn't know, as another version of
// LLVM had them.
func foreign(t *testing.T, llvm, version int, src string) []byte {
	t.Helper()
	c := ir.NewContext(builtin.Dialect)
	c.AllowUnregistered = true
	d, err := asm.ParseDocument(c, []byte(src), "a.mlir", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return write(t, d, bytecode.Options{Version: version, LLVM: llvm})
}

// What earlier and later versions of LLVM spelled otherwise becomes what the same text
// becomes.
func TestOtherSpellings(t *testing.T) {
	for _, tt := range []struct {
		name          string
		llvm, version int
		src           string
		want          string
	}{
		{"inferred sizes", 16, 0, `"func.func"() ({
^bb0(%m: memref<?xf32>):
  %0 = "memref.expand_shape"(%m) {reassociation = [[0, 1]]} : (memref<?xf32>) -> memref<4x?xf32>
  "func.return"() : () -> ()
}) {function_type = (memref<?xf32>) -> (), sym_name = "f"} : () -> ()`, "%expand_shape = memref.expand_shape %arg0 [[0, 1]] output_shape [4, %0] : "},
		{"a loop of affine maps", 16, 0, `"func.func"() ({
^bb0(%m: index):
  "affine.for"(%m) ({
  ^bb0(%i: index):
    "affine.yield"() : () -> ()
  }) {lower_bound = affine_map<() -> (0)>, upper_bound = affine_map<(d0) -> (d0)>, step = 1 : index} : (index) -> ()
  "func.return"() : () -> ()
}) {function_type = (index) -> (), sym_name = "f"} : () -> ()`, "affine.for %arg1 = 0 to #map(%arg0) {"},
		{"reductions of a loop", 18, 4, `"func.func"() ({
^bb0(%m: index, %x: f32):
  %r = "scf.parallel"(%m, %m, %m, %x) ({
  ^bb0(%i: index):
    "scf.reduce"(%x) ({
    ^bb0(%a: f32, %b: f32):
      "scf.reduce.return"(%a) : (f32) -> ()
    }) : (f32) -> ()
    "scf.yield"() : () -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (index, index, index, f32) -> f32
  "func.return"(%r) : (f32) -> ()
}) {function_type = (index, f32) -> f32, sym_name = "f"} : () -> ()`, "scf.reduce(%arg1 : f32) {"},
		{"transfers and positions", 17, 0, `"func.func"() ({
^bb0(%m: memref<4x4xf32>, %i: index, %x: f32, %v: vector<2x3xf32>):
  %r = "vector.transfer_read"(%m, %i, %i, %x) {operand_segment_sizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d1)>} : (memref<4x4xf32>, index, index, f32) -> vector<4xf32>
  %t = "vector.transpose"(%v) {transp = [1, 0]} : (vector<2x3xf32>) -> vector<3x2xf32>
  "func.return"() : () -> ()
}) {function_type = (memref<4x4xf32>, index, f32, vector<2x3xf32>) -> (), sym_name = "f"} : () -> ()`, "vector.transpose %arg3, [1, 0]"},
		{"an init that the body gets", 22, 6, `"func.func"() ({
^bb0(%t: tensor<4xf32>):
  %r = "linalg.map"(%t, %t) ({
  ^bb0(%a: f32, %b: f32):
    "linalg.yield"(%b) : (f32) -> ()
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%r) : (tensor<4xf32>) -> ()
}) {function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "f"} : () -> ()`, "linalg.generic"},
		{"a loop over unsigned numbers", 22, 4, `"func.func"() ({
^bb0(%a: i8, %b: i8):
  "scf.for"(%a, %b, %a) ({
  ^bb0(%i: i8):
    "scf.yield"() : () -> ()
  }) {unsignedCmp} : (i8, i8, i8) -> ()
  "func.return"() : () -> ()
}) {function_type = (i8, i8) -> (), sym_name = "f"} : () -> ()`, "arith.xori %arg1, %c-128_i8"},
	} {
		d := read(t, foreign(t, tt.llvm, tt.version, tt.src))
		if err := ir.Verify(d.Module); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if got := string(asm.PrintDocument(d, asm.PrintOptions{})); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s\nis not in\n%s", tt.name, tt.want, got)
		}
	}
}

// What the sizes of an expansion are can't always be told.
func TestSpellingError(t *testing.T) {
	data := foreign(t, 16, 0, `"func.func"() ({
^bb0(%t: tensor<?xf32>):
  %0 = "tensor.expand_shape"(%t) {reassociation = [[0, 1]]} : (tensor<?xf32>) -> tensor<?x?xf32>
  "func.return"() : () -> ()
}) {function_type = (tensor<?xf32>) -> (), sym_name = "f"} : () -> ()`)
	_, err := bytecode.Read(newContext(), data, "a.mlirbc", asm.ParseOptions{})
	const want = "tensor.expand_shape has several dynamic sizes that belong to dimension 0, and doesn't say what they are (at byte "
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}
