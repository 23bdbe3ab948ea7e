package native_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"freehold/exec/native"
)

// compilers are ways to compile: with what every processor of the kind has, with all that this one has, and, where there is another compiler, that.
func compilers(t *testing.T) []string {
	t.Helper()
	list := []string{compiler(t)}
	native := "cc -O2 -march=native -Wall -Wextra -Werror"
	if exec.Command("cc", "-march=native", "-E", "-x", "c", os.DevNull).Run() == nil {
		list = append(list, native)
	}
	if _, err := exec.LookPath("clang"); err == nil {
		list = append(list, strings.Replace(native, "cc", "clang", 1))
	}
	return list
}

// All numbers of 16 bits are loaded, computed with and stored several at a time, one by one, and in sums that are kept in registers; floats of all exponents are rounded to them.
func TestHalfNests(t *testing.T) {
	text := `
#id = affine_map<(i) -> (i)>
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
func.func @main(%x: memref<65536xHALF>, %y: memref<65536xHALF>, %all: memref<65536xHALF>, %most: memref<65521xHALF>, %wide: memref<65536xf32>, %long: memref<65536xf32>,
    %cut: memref<65536xHALF>, %rows: memref<256xHALF>, %columns: memref<256xHALF>, %product: memref<21x19xHALF>) {
  %third = arith.constant 0.3333 : HALF
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} outs(%x, %y, %long : memref<65536xHALF>, memref<65536xHALF>, memref<65536xf32>) {
  ^bb0(%a: HALF, %b: HALF, %c: f32):
    %n = linalg.index 0 : index
    %k = arith.constant 40503 : index
    %m = arith.muli %n, %k : index
    %p = arith.index_cast %n : index to i16
    %q = arith.index_cast %m : index to i16
    %r = arith.bitcast %p : i16 to HALF
    %s = arith.bitcast %q : i16 to HALF
    %kk = arith.constant 65663 : index
    %mm = arith.muli %n, %kk : index
    %w = arith.index_cast %mm : index to i32
    %v = arith.bitcast %w : i32 to f32
    linalg.yield %r, %s, %v : HALF, HALF, f32
  }
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : memref<65536xHALF>, memref<65536xHALF>) outs(%all : memref<65536xHALF>) {
  ^bb0(%a: HALF, %b: HALF, %c: HALF):
    %p = arith.mulf %a, %third : HALF
    %q = arith.subf %p, %b : HALF
    %r = arith.divf %q, %a : HALF
    %s = arith.maximumf %r, %b : HALF
    %u = arith.minnumf %s, %q : HALF
    %v = arith.negf %u : HALF
    linalg.yield %v : HALF
  }
  %xs = memref.subview %x[0] [65521] [1] : memref<65536xHALF> to memref<65521xHALF>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%xs : memref<65521xHALF>) outs(%most : memref<65521xHALF>) {
  ^bb0(%a: HALF, %c: HALF):
    %p = arith.addf %a, %third : HALF
    %m = arith.minimumf %p, %a : HALF
    %q = arith.maxnumf %m, %third : HALF
    %r = math.tanh %q : HALF
    %e = math.exp %p : HALF
    %s = arith.mulf %e, %r : HALF
    linalg.yield %s : HALF
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<65536xHALF>) outs(%wide : memref<65536xf32>) {
  ^bb0(%a: HALF, %c: f32):
    %p = arith.extf %a : HALF to f32
    linalg.yield %p : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%long : memref<65536xf32>) outs(%cut : memref<65536xHALF>) {
  ^bb0(%a: f32, %c: HALF):
    %p = arith.truncf %a : f32 to HALF
    linalg.yield %p : HALF
  }
  %square = memref.expand_shape %y [[0, 1]] output_shape [256, 256] : memref<65536xHALF> into memref<256x256xHALF>
  linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%square : memref<256x256xHALF>) outs(%rows : memref<256xHALF>) {
  ^bb0(%a: HALF, %c: HALF):
    %q = arith.maxnumf %a, %c : HALF
    linalg.yield %q : HALF
  }
  linalg.generic {indexing_maps = [#ij, #j], iterator_types = ["reduction", "parallel"]} ins(%square : memref<256x256xHALF>) outs(%columns : memref<256xHALF>) {
  ^bb0(%a: HALF, %c: HALF):
    %p = arith.mulf %third, %c : HALF
    %q = arith.minnumf %a, %p : HALF
    linalg.yield %q : HALF
  }
  %sa = memref.subview %square[24, 60] [21, 100] [1, 1] : memref<256x256xHALF> to memref<21x100xHALF, strided<[256, 1], offset: 6204>>
  %sb = memref.subview %square[90, 60] [100, 19] [1, 1] : memref<256x256xHALF> to memref<100x19xHALF, strided<[256, 1], offset: 23100>>
  linalg.matmul ins(%sa, %sb : memref<21x100xHALF, strided<[256, 1], offset: 6204>>, memref<100x19xHALF, strided<[256, 1], offset: 23100>>) outs(%product : memref<21x19xHALF>)
  return
}`
	for _, typ := range []string{"f16", "bf16"} {
		for _, cc := range compilers(t) {
			t.Run(fmt.Sprintf("%s/%s", typ, strings.Fields(cc)[0]), func(t *testing.T) {
				sameBy(t, cc, strings.ReplaceAll(text, "HALF", typ), native.Options{})
			})
		}
	}
}

// Where numbers are only widened, or only rounded, nothing else of ours is in the file: compilers complain of what isn't used.
func TestHalfCasts(t *testing.T) {
	for _, types := range [][3]string{{"bf16", "f32", "extf"}, {"f32", "bf16", "truncf"}, {"f16", "f32", "extf"}, {"f32", "f16", "truncf"}} {
		text := strings.NewReplacer("FROM", types[0], "TO", types[1], "CAST", types[2]).Replace(`
#id = affine_map<(i) -> (i)>
func.func @main(%x: memref<37xFROM>, %y: memref<37xTO>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<37xFROM>) outs(%y : memref<37xTO>) {
  ^bb0(%a: FROM, %o: TO):
    %p = arith.CAST %a : FROM to TO
    linalg.yield %p : TO
  }
  return
}`)
		for _, cc := range compilers(t) {
			t.Run(types[0]+types[2]+"/"+strings.Fields(cc)[0], func(t *testing.T) { sameBy(t, cc, text, native.Options{}) })
		}
	}
}

// Windows of which every second element is combined are loaded several at a time, the last ones up to the end of the buffer; columns that are left are computed with the last ones.
func TestHalfPoolings(t *testing.T) {
	for _, typ := range []string{"f16", "bf16"} {
		for _, columns := range []int{8, 13, 16, 21, 35} {
			text := strings.NewReplacer("HALF", typ, "WIDE", fmt.Sprint(2*columns), "COLUMNS", fmt.Sprint(columns)).Replace(`
func.func @main(%x: memref<1x3x4xWIDExHALF>, %w: memref<2x2xHALF>, %y: memref<1x3x2xCOLUMNSxHALF>) {
  %z = arith.constant 0.0 : HALF
  linalg.fill ins(%z : HALF) outs(%y : memref<1x3x2xCOLUMNSxHALF>)
  linalg.pooling_nchw_sum {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%x, %w : memref<1x3x4xWIDExHALF>, memref<2x2xHALF>) outs(%y : memref<1x3x2xCOLUMNSxHALF>)
  return
}`)
			for _, cc := range compilers(t) {
				t.Run(fmt.Sprintf("%s/%d/%s", typ, columns, strings.Fields(cc)[0]), func(t *testing.T) { sameBy(t, cc, text, native.Options{}) })
			}
		}
	}
}
