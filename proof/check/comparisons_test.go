package check_test

import (
	"fmt"
	"strings"
	"testing"
)

// Comparisons of booleans, and switches on them, are decided as those of numbers of one bit are, by the
// check as by what verifies its certificates.
func TestComparisonsOfBooleans(t *testing.T) {
	holds := map[string]func(x, y int) bool{
		"eq": func(x, y int) bool { return x == y }, "ne": func(x, y int) bool { return x != y },
		"ult": func(x, y int) bool { return x < y }, "ule": func(x, y int) bool { return x <= y },
		"ugt": func(x, y int) bool { return x > y }, "uge": func(x, y int) bool { return x >= y },
		"slt": func(x, y int) bool { return -x < -y }, "sle": func(x, y int) bool { return -x <= -y },
		"sgt": func(x, y int) bool { return -x > -y }, "sge": func(x, y int) bool { return -x >= -y },
	}
	for predicate, is := range holds {
		for values := range 4 {
			x, y := values&1, values>>1
			for _, frees := range []bool{true, false} {
				src := fmt.Sprintf(`
func.func @f(%%x: i1, %%y: i1) {
  %%a = memref.alloc() : memref<4xf32>
  cf.switch %%x : i1, [default: ^no, %d: ^maybe(%%y : i1)]
^maybe(%%z: i1):
  cf.switch %%z : i1, [default: ^no, %d: ^yes]
^yes:
  %%c = arith.cmpi %s, %%x, %%y : i1
  scf.if %%c {
    DEALLOC
  } else {
    DEALLOC
  }
  return
^no:
  memref.dealloc %%a : memref<4xf32>
  return
}`, x, -y, predicate)
				then, els := "memref.dealloc %a : memref<4xf32>", ""
				if is(x, y) != frees {
					then, els = els, then
				}
				src = strings.Replace(strings.Replace(src, "DEALLOC", then, 1), "DEALLOC", els, 1)
				m := load([]byte(src))
				want := "safe"
				if !frees {
					want = "unsafe"
				}
				if got := verdict(m); got != want {
					t.Errorf("%s of %d and %d is %s, not %s:\n%s", predicate, x, y, got, want, src)
				}
				if !frees {
					continue
				}
				if _, why := certify(t, m); why != "" {
					t.Errorf("not certified: %s\n%s", why, src)
				}
			}
		}
	}
}
