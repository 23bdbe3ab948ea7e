package naive_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// mapResult returns an expression of dimensions for an index of an operand: with factors of either
// sign, and distances. It is no dimension alone, whose size would have to be that of the operand, as well as all within it:
// which of two mistakes is told is nobody's promise.
func mapResult(r *rand.Rand, dims int) string {
	s := fmt.Sprint(r.IntN(6) - 2)
	if r.IntN(3) > 0 {
		s = "0"
	}
	for d := range dims {
		if r.IntN(dims) == 0 || r.IntN(3) == 0 {
			s += fmt.Sprintf(" + %c * %d", 'i'+d, []int{1, 1, 1, 2, -1, -2}[r.IntN(6)])
		}
	}
	if s == "0 + i * 1" || s == "0 + j * 1" {
		return "(" + s + ") floordiv 2"
	}
	return s
}

// Structured operations access operands where their maps say, within and outside of them.
func TestIndexingMaps(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 104))
	var list []program
	for range 400 {
		dims := 1 + r.IntN(2)
		names := "i, j"[:3*dims-2]
		whole := "?x?x"[:2*dims]
		if r.IntN(2) == 0 {
			whole = []string{"4x", "4x3x"}[dims-1]
		}
		maps, types, args, operands, block, last := "", "", "", "", "", "%a0"
		for k := range 1 + r.IntN(2) {
			rank := 1 + r.IntN(2)
			results := make([]string, rank)
			for d := range results {
				results[d] = mapResult(r, dims)
			}
			shape := strings.Repeat("?x", rank)
			maps += fmt.Sprintf("affine_map<(%s) -> (%s)>, ", names, strings.Join(results, ", "))
			types += fmt.Sprintf(", memref<%si32>", shape)
			args += fmt.Sprintf("%%m%d: memref<%si32>, ", k, shape)
			operands += fmt.Sprintf(", %%m%d", k)
			block += fmt.Sprintf("%%a%d: i32, ", k)
			last = fmt.Sprintf("%%a%d", k)
		}
		list = append(list, program{"linalg.generic", fmt.Sprintf(`func.func @f(%s%%o: memref<%si32>) {
  linalg.generic {indexing_maps = [%saffine_map<(%s) -> (%s)>], iterator_types = [%s]} ins(%s : %s) outs(%%o : memref<%si32>) {
  ^bb0(%s%%z: i32):
    %%s = arith.addi %%a0, %%z : i32
    %%t = arith.addi %%s, %s : i32
    linalg.yield %%t : i32
  }
  return
}`, args, whole, maps, names, names, strings.Repeat(`"parallel", `, dims)[:12*dims-2], operands[2:], types[2:], whole, block, last)})
	}
	compareAll(t, list, 9)
}

// Views of views have the sizes and strides that the simple interpreter says, and refuse what it does.
func TestViewsOfViews(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 105))
	const open = "memref<?x?xi32, strided<[?, ?], offset: ?>>"
	var list []program
	for range 200 {
		amount := func() string { return []string{"%i", "%j", "%k", "0", "1", "2"}[r.IntN(6)] }
		body, last := "", "%m"
		for k := range 1 + r.IntN(3) {
			to := fmt.Sprintf("%%v%d", k)
			switch r.IntN(3) {
			case 0:
				body += fmt.Sprintf("  %s = memref.transpose %s (p, q) -> (q, p) : %s to %s\n", to, last, open, open)
			default:
				body += fmt.Sprintf(`  %%n%d = affine.max affine_map<() -> (0, 1)>()
  %%w%d = arith.minui %%%c, %%n%d : index
  %%x%d = arith.addi %%w%d, %%n%d : index
  %s = memref.subview %s[%s, %s] [%s, %s] [%%x%d, %%x%d] : %s to %s
`, k, k, "ijk"[r.IntN(3)], k, k, k, k, to, last, amount(), amount(), "%"+string("ijk"[r.IntN(3)]), "%"+string("ijk"[r.IntN(3)]), k, k, open, open)
			}
			last = to
		}
		list = append(list, program{"memref.collapse_shape", fmt.Sprintf(`func.func @f(%%m: %[1]s, %%i: index, %%j: index, %%k: index) -> (memref<?xi32, strided<[?], offset: ?>>, index) {
%[2]s  %%c = memref.collapse_shape %[3]s [[0, 1]] : %[1]s into memref<?xi32, strided<[?], offset: ?>>
  %%x, %%o, %%z, %%t = memref.extract_strided_metadata %%c : memref<?xi32, strided<[?], offset: ?>> -> memref<i32>, index, index, index
  return %%c, %%z : memref<?xi32, strided<[?], offset: ?>>, index
}`, open, body, last)})
	}
	compareAll(t, list, 9)
}
