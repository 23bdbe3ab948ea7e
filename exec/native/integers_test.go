package native_test

import (
	"fmt"
	"strings"
	"testing"

	"freehold/exec/native"
)

// integerBodies are bodies of nests on i8, i16, i32 and f32, by the type that they yield as %r.
var integerBodies = map[string][]string{
	"i8": {
		// A product with a multiplier, shifted by a constant, as models of integers do it.
		`%p = arith.extsi %c : i32 to i64
    %q = arith.extsi %b : i16 to i64
    %s = arith.muli %p, %q : i64
    %t = arith.addi %s, %big : i64
    %u = arith.shrsi %t, %c31 : i64
    %v = arith.trunci %u : i64 to i32
    %w = arith.maxsi %v, %low : i32
    %x = arith.minsi %w, %high : i32
    %r = arith.trunci %x : i32 to i8`,
		`%p = arith.extsi %c : i32 to i64
    %q = arith.extsi %a : i8 to i64
    %s = arith.muli %p, %q : i64
    %t = arith.shrsi %s, %c38 : i64
    %u = arith.shrui %s, %c32 : i64
    %v = arith.trunci %t : i64 to i32
    %w = arith.trunci %u : i64 to i16
    %k = arith.cmpi sle, %v, %high : i32
    %l = arith.cmpi slt, %a, %d : i8
    %x = arith.select %k, %s, %t : i64
    %y = arith.select %l, %x, %big : i64
    %z = arith.shrui %y, %c38 : i64
    %e = arith.trunci %z : i64 to i32
    %g = arith.extui %w : i16 to i32
    %h = arith.xori %e, %g : i32
    %i = arith.xori %h, %v : i32
    %r = arith.trunci %i : i32 to i8`,
		// Shifts by as many bits as an element says, also too many; choices by comparisons of all widths.
		`%p = arith.extsi %c : i32 to i64
    %q = arith.extui %a : i8 to i64
    %s = arith.shli %one, %q : i64
    %t = arith.shrui %s, %one : i64
    %u = arith.addi %p, %t : i64
    %k = arith.cmpi sge, %c, %low : i32
    %v = arith.select %k, %big, %u : i64
    %l = arith.cmpi sgt, %v, %p : i64
    %w = arith.select %l, %u, %v : i64
    %x = arith.shrsi %w, %q : i64
    %m = arith.cmpi ult, %x, %u : i64
    %y = arith.select %m, %a, %d : i8
    %n = arith.andi %m, %l : i1
    %o2 = arith.xori %n, %k : i1
    %z = arith.extsi %o2 : i1 to i8
    %e = arith.extui %n : i1 to i64
    %g = arith.trunci %e : i64 to i8
    %h = arith.addi %y, %z : i8
    %r = arith.subi %h, %g : i8`,
		// Floats that are rounded, with and without limits; NaN.
		`%p = arith.mulf %f, %half : f32
    %q = math.roundeven %p : f32
    %s = arith.maximumf %q, %least : f32
    %t = arith.minimumf %s, %most : f32
    %u = arith.fptosi %t : f32 to i8
    %v = arith.fptosi %f : f32 to i8
    %w = arith.fptoui %f : f32 to i8
    %x = arith.fptosi %f : f32 to i32
    %y = arith.trunci %x : i32 to i8
    %z = arith.xori %u, %v : i8
    %g = arith.addi %z, %w : i8
    %r = arith.xori %g, %y : i8`,
		`%p = arith.shrsi %a, %d : i8
    %q = arith.shrui %a, %d : i8
    %s = arith.shli %d, %a : i8
    %t = arith.addi %p, %q : i8
    %u = arith.xori %t, %s : i8
    %v = arith.maxui %u, %a : i8
    %w = arith.minui %v, %d : i8
    %b8 = arith.trunci %b : i16 to i8
    %x = arith.maxsi %w, %b8 : i8
    %k = arith.cmpi eq, %a, %d : i8
    %r = arith.select %k, %a, %x : i8`,
	},
	"i16": {
		`%p = arith.extsi %a : i8 to i16
    %q = arith.muli %p, %b : i16
    %s = arith.extui %d : i8 to i16
    %r = arith.subi %q, %s : i16`,
		`%p = arith.extsi %b : i16 to i32
    %q = arith.muli %p, %c : i32
    %s = arith.shrsi %q, %c15 : i32
    %t = arith.trunci %s : i32 to i16
    %r = arith.maxui %t, %b : i16`,
		`%p = arith.fptosi %f : f32 to i16
    %q = arith.fptoui %f : f32 to i16
    %r = arith.xori %p, %q : i16`,
	},
	"f32": {
		`%p = arith.extsi %a : i8 to i32
    %q = arith.addi %p, %low : i32
    %s = arith.sitofp %q : i32 to f32
    %t = arith.uitofp %c : i32 to f32
    %u = arith.addf %s, %t : f32
    %v = arith.uitofp %b : i16 to f32
    %w = arith.sitofp %d : i8 to f32
    %x = arith.mulf %v, %w : f32
    %r = arith.subf %u, %x : f32`,
		`%k = arith.cmpf ult, %f, %half : f32
    %l = arith.cmpf one, %f, %least : f32
    %m = arith.cmpi sgt, %a, %d : i8
    %n = arith.ori %k, %m : i1
    %o2 = arith.select %l, %n, %m : i1
    %p = arith.maxnumf %f, %half : f32
    %q = arith.select %o2, %p, %least : f32
    %s = arith.minnumf %q, %zero : f32
    %t = arith.maximumf %s, %minus : f32
    %u = arith.minimumf %f, %minus : f32
    %v = arith.maximumf %zero, %f : f32
    %w = arith.select %k, %u, %v : f32
    %r = arith.addf %t, %w : f32`,
	},
}

const integerConstants = `
  %one = arith.constant 1 : i64
  %big = arith.constant 1073741824 : i64
  %c31 = arith.constant 31 : i64
  %c32 = arith.constant 32 : i64
  %c38 = arith.constant 38 : i64
  %low = arith.constant -128 : i32
  %high = arith.constant 127 : i32
  %c15 = arith.constant 15 : i32
  %half = arith.constant 0.5 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant -0.0 : f32
`

// Integers of several widths, and floats beside them, are computed with several at a time: sizes that leave none or some, or are only known when the program is
// executed; all kinds of operations; results that are also operands.
func TestIntegerElements(t *testing.T) {
	for _, cc := range compilers(t) {
		for _, size := range []string{"64", "93", "?"} {
			n := size
			if size == "?" {
				n = "77"
			}
			buffers := [][2]string{{"f", "f32"}, {"a", "i8"}, {"d", "i8"}, {"b", "i16"}, {"c", "i32"}}
			var body strings.Builder
			for _, typ := range []string{"i8", "i16", "f32"} {
				for _, b := range integerBodies[typ] {
					r := fmt.Sprintf("r%d", len(buffers))
					buffers = append(buffers, [2]string{r, typ})
					fmt.Fprintf(&body, `
  linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%%fx, %%ax, %%dx, %%bx, %%cx : memref<SIZExf32>, memref<SIZExi8>, memref<SIZExi8>, memref<SIZExi16>, memref<SIZExi32>) outs(%%%[1]sx : memref<SIZEx%[2]s>) {
  ^bb0(%%f: f32, %%a: i8, %%d: i8, %%b: i16, %%c: i32, %%o: %[2]s):
    %[3]s
    linalg.yield %%r : %[2]s
  }`, r, typ, b)
				}
			}
			var args, casts []string
			for _, x := range buffers {
				args = append(args, fmt.Sprintf("%%buffer_%s: memref<Nx%s>", x[0], x[1]))
				casts = append(casts, fmt.Sprintf("  %%%[1]sx = memref.cast %%buffer_%[1]s : memref<Nx%[2]s> to memref<SIZEx%[2]s>\n", x[0], x[1]))
			}
			// The floats are of all exponents. At last, a result is an operand, too.
			text := "#id = affine_map<(i) -> (i)>\nfunc.func @main(" + strings.Join(args, ", ") + ") {" + integerConstants + strings.Join(casts, "") + `
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%buffer_c : memref<Nxi32>) outs(%buffer_f : memref<Nxf32>) {
  ^bb0(%a: i32, %o: f32):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i32
    %c40503 = arith.constant 40503 : i32
    %m = arith.muli %k, %c40503 : i32
    %s = arith.shli %m, %c15 : i32
    %x = arith.xori %a, %s : i32
    %v = arith.bitcast %x : i32 to f32
    linalg.yield %v : f32
  }` + body.String() + `
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%cx : memref<SIZExi32>) outs(%dx : memref<SIZExi8>) {
  ^bb0(%x: i32, %y: i8):
    %p = arith.extui %y : i8 to i32
    %q = arith.muli %p, %x : i32
    %r = arith.trunci %q : i32 to i8
    linalg.yield %r : i8
  }
  return
}`
			text = strings.NewReplacer("SIZE", size, "memref<N", "memref<"+n).Replace(text)
			t.Run(size+"/"+strings.Fields(cc)[0], func(t *testing.T) { sameBy(t, cc, text, native.Options{}) })
		}
	}
}

// Integers of few bits are combined along rows, and in tiles.
func TestIntegerSums(t *testing.T) {
	text := `
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#a = affine_map<(h, w, c, k) -> (h, w + k, c)>
#b = affine_map<(h, w, c, k) -> (k, c)>
#c = affine_map<(h, w, c, k) -> (h, w, c)>
func.func @main(%a: memref<5xSIZExi8>, %b: memref<5xSIZExi16>, %c: memref<3x9xSIZExi8>, %d: memref<4xSIZExi8>, %r0: memref<5xi32>, %r1: memref<5xi64>, %r2: memref<5xi32>, %r3: memref<5xi64>,
    %r4: memref<5xi32>, %r5: memref<5xi32>, %t: memref<3x6xSIZExi32>, %u: memref<3x6xSIZExi32>, %left: memref<7x11xi8>, %right: memref<11xSIZExi8>, %z: memref<7xSIZExi32>) {
  %c5 = arith.constant 5 : i32
` + strings.Join([]string{
		sumOf("a", "i8", "r0", "i32", "%p = arith.extsi %x : i8 to i32\n    %r = arith.addi %p, %o : i32"),
		sumOf("b", "i16", "r1", "i64", "%p = arith.extui %x : i16 to i64\n    %r = arith.addi %o, %p : i64"),
		sumOf("a", "i8", "r2", "i32", "%p = arith.extui %x : i8 to i32\n    %q = arith.muli %p, %c5 : i32\n    %r = arith.minsi %q, %o : i32"),
		sumOf("b", "i16", "r3", "i64", "%p = arith.extsi %x : i16 to i64\n    %q = arith.muli %p, %p : i64\n    %r = arith.addi %o, %q : i64"),
		sumOf("a", "i8", "r4", "i32", "%p = arith.extsi %x : i8 to i32\n    %q = arith.ori %p, %c5 : i32\n    %r = arith.muli %o, %q : i32"),
	}, "") + `
  %dynamic = memref.cast %a : memref<5xSIZExi8> to memref<5x?xi8>
  linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%dynamic : memref<5x?xi8>) outs(%r5 : memref<5xi32>) {
  ^bb0(%x: i8, %o: i32):
    %p = arith.extsi %x : i8 to i32
    %r = arith.addi %p, %o : i32
    linalg.yield %r : i32
  }
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%c, %d : memref<3x9xSIZExi8>, memref<4xSIZExi8>) outs(%t : memref<3x6xSIZExi32>) {
  ^bb0(%x1: i8, %y1: i8, %o: i32):
    %p = arith.extsi %x1 : i8 to i32
    %q = arith.subi %p, %c5 : i32
    %s = arith.extui %y1 : i8 to i32
    %v = arith.muli %q, %s : i32
    %r = arith.addi %o, %v : i32
    linalg.yield %r : i32
  }
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%c, %d : memref<3x9xSIZExi8>, memref<4xSIZExi8>) outs(%u : memref<3x6xSIZExi32>) {
  ^bb0(%x1: i8, %y1: i8, %o: i32):
    %p = arith.maxsi %x1, %y1 : i8
    %q = arith.extsi %p : i8 to i32
    %r = arith.maxsi %q, %o : i32
    linalg.yield %r : i32
  }
  linalg.matmul ins(%left, %right : memref<7x11xi8>, memref<11xSIZExi8>) outs(%z : memref<7xSIZExi32>)
  return
}`
	for _, cc := range compilers(t) {
		for _, size := range []string{"64", "77", "9"} {
			t.Run(size+"/"+strings.Fields(cc)[0], func(t *testing.T) { sameBy(t, cc, strings.ReplaceAll(text, "SIZE", size), native.Options{}) })
		}
	}
}

// sumOf returns a nest that combines the rows of a buffer.
func sumOf(from, elem, to, sum, body string) string {
	return fmt.Sprintf(`
  linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%%%s : memref<5xSIZEx%s>) outs(%%%s : memref<5x%s>) {
  ^bb0(%%x: %[2]s, %%o: %[4]s):
    %[5]s
    linalg.yield %%r : %[4]s
  }
`, from, elem, to, sum, body)
}
