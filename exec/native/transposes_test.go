package native_test

import (
	"strings"
	"testing"

	"freehold/exec/native"
)

// Elements that are moved to rows from columns, with what is left of strips, in buffers of any sizes, of their own, and that overlap.
func TestTransposes(t *testing.T) {
	text := `
func.func @main(%a: memref<37x29xf32>, %b: memref<29x37xf32>, %c: memref<3x11x13x9xi16>, %d: memref<3x13x9x11xi16>, %e: memref<40x40xf32>) {
  linalg.transpose ins(%a : memref<37x29xf32>) outs(%b : memref<29x37xf32>) permutation = [1, 0]
  linalg.generic {indexing_maps = [affine_map<(n, y, x, c) -> (n, c, y, x)>, affine_map<(n, y, x, c) -> (n, y, x, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c : memref<3x11x13x9xi16>) outs(%d : memref<3x13x9x11xi16>) {
  ^bb0(%p: i16, %q: i16):
    %r = arith.addi %p, %q : i16
    linalg.yield %r : i16
  }
  %x = memref.cast %a : memref<37x29xf32> to memref<?x?xf32>
  %y = memref.cast %b : memref<29x37xf32> to memref<?x?xf32>
  %two = arith.constant 2.5 : f32
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %two : memref<?x?xf32>, f32) outs(%y : memref<?x?xf32>) {
  ^bb0(%p: f32, %k: f32, %q: f32):
    %r = arith.mulf %p, %k : f32
    %s = arith.subf %r, %q : f32
    linalg.yield %s : f32
  }
  %from = memref.subview %e[0, 0] [20, 20] [1, 1] : memref<40x40xf32> to memref<20x20xf32, strided<[40, 1]>>
  %to = memref.subview %e[7, 5] [20, 20] [1, 1] : memref<40x40xf32> to memref<20x20xf32, strided<[40, 1], offset: 285>>
  linalg.transpose ins(%from : memref<20x20xf32, strided<[40, 1]>>) outs(%to : memref<20x20xf32, strided<[40, 1], offset: 285>>) permutation = [1, 0]
  return
}`
	for name, cc := range map[string]string{"O1": compiler(t), "O3": strings.Replace(compiler(t), "-O1", "-O3", 1)} {
		t.Run(name, func(t *testing.T) { sameBy(t, cc, text, native.Options{}) })
	}
}

// Elements of all sizes are moved in blocks, the last of which overlap others, by all compilers.
func TestTransposedBlocks(t *testing.T) {
	for _, typ := range []string{"i8", "bf16", "f32", "i64"} {
		text := strings.ReplaceAll(`
func.func @main(%a: memref<16x17xT>, %b: memref<17x16xT>, %c: memref<3x19x37xT>, %d: memref<37x3x19xT>) {
  linalg.transpose ins(%a : memref<16x17xT>) outs(%b : memref<17x16xT>) permutation = [1, 0]
  linalg.transpose ins(%c : memref<3x19x37xT>) outs(%d : memref<37x3x19xT>) permutation = [2, 0, 1]
  return
}`, "xT>", "x"+typ+">")
		for _, cc := range compilers(t) {
			t.Run(typ+"/"+strings.Fields(cc)[0], func(t *testing.T) { sameBy(t, cc, text, native.Options{}) })
		}
	}
}
