package native_test

import (
	"fmt"
	"strings"
	"testing"

	"freehold/exec/native"
)

// Products of integers of 8 bits with a transposed matrix: of any signs, with rows and elements that are left, long rows, sizes that are only known when the
// program is executed, and results that were something before.
func TestDots(t *testing.T) {
	text := `
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @main(%a: memref<ROWSxLENGTHxi8>, %b: memref<COLUMNSxLENGTHxi8>, %c: memref<ROWSxCOLUMNSxi32>, %d: memref<ROWSxCOLUMNSxi32>) {
  %x = memref.cast %a : memref<ROWSxLENGTHxi8> to memref<?x?xi8>
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<ROWSxLENGTHxi8>, memref<COLUMNSxLENGTHxi8>) outs(%c : memref<ROWSxCOLUMNSxi32>) {
  ^bb0(%p: i8, %q: i8, %o: i32):
    %v = arith.extsi %p : i8 to i32
    %w = arith.EXTENSION %q : i8 to i32
    %r = arith.muli %w, %v : i32
    %s = arith.addi %r, %o : i32
    linalg.yield %s : i32
  }
  %y = memref.cast %b : memref<COLUMNSxLENGTHxi8> to memref<?x?xi8>
  %z = memref.cast %d : memref<ROWSxCOLUMNSxi32> to memref<?x?xi32>
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : memref<?x?xi8>, memref<?x?xi8>) outs(%z : memref<?x?xi32>) {
  ^bb0(%p: i8, %q: i8, %o: i32):
    %v = arith.extui %p : i8 to i32
    %w = arith.EXTENSION %q : i8 to i32
    %r = arith.muli %v, %w : i32
    %s = arith.addi %o, %r : i32
    linalg.yield %s : i32
  }
  return
}`
	for _, size := range [][3]int{{9, 5, 16}, {3, 10, 40}, {6, 7, 1000}, {5, 4, 256}, {4, 4, 1}} {
		for _, extension := range []string{"extsi", "extui"} {
			program := strings.NewReplacer("ROWS", fmt.Sprint(size[0]), "COLUMNS", fmt.Sprint(size[1]), "LENGTH", fmt.Sprint(size[2]), "EXTENSION", extension).Replace(text)
			t.Run(fmt.Sprint(size, extension), func(t *testing.T) { same(t, program, native.Options{}) })
		}
	}
}
