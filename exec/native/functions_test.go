package native_test

import (
	"strings"
	"testing"

	"freehold/exec/native"
)

// Functions of floats of all sizes and signs, and of many of ordinary sizes, are those of checked memory to the last bit, but where these lie in the middle between two
// floats: of the numbers here, none does.
func TestFunctions(t *testing.T) {
	text := `
#id = affine_map<(i) -> (i)>
func.func @main(%x: memref<65536xf32>, %y: memref<65536xf32>) {
  %step = arith.constant 65663 : index
  %scale = arith.constant 2.1e-4 : f32
  %middle = arith.constant 32768 : i32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} outs(%x, %y : memref<65536xf32>, memref<65536xf32>) {
  ^bb0(%a: f32, %b: f32):
    %n = linalg.index 0 : index
    %m = arith.muli %n, %step : index
    %w = arith.index_cast %m : index to i32
    %v = arith.bitcast %w : i32 to f32
    %p = arith.index_cast %n : index to i32
    %q = arith.subi %p, %middle : i32
    %r = arith.sitofp %q : i32 to f32
    %s = arith.mulf %r, %scale : f32
    %f = math.FUNCTION %v : f32
    %g = math.FUNCTION %s : f32
    linalg.yield %f, %g : f32, f32
  }
  return
}`
	for _, name := range []string{"exp", "exp2", "tanh", "erf", "log", "log2", "sin", "cos"} {
		t.Run(name, func(t *testing.T) {
			same(t, strings.ReplaceAll(text, "FUNCTION", name), native.Options{})
		})
	}
}
