package check_test

import (
	"fmt"
	"strings"
	"testing"
)

// A loop carries two buffers, and each of two branches in it makes of them any two: those, exchanged or not, or new ones, and frees what
// it doesn't hand on. All are proved, also by what verifies their certificates, and none is called safe if one of the two frees behind it is missing.
func TestExchangesInBranches(t *testing.T) {
	var handed [][2]string
	for _, x := range []string{"%p", "%q", "%d"} {
		for _, y := range []string{"%p", "%q", "%e"} {
			if x != y {
				handed = append(handed, [2]string{x, y})
			}
		}
	}
	branch := func(to [2]string) string {
		var out strings.Builder
		for _, x := range to {
			if x == "%d" || x == "%e" {
				fmt.Fprintf(&out, "      %s = memref.alloc() : memref<4xi32>\n", x)
			}
		}
		for _, x := range []string{"%p", "%q"} {
			if to[0] != x && to[1] != x {
				fmt.Fprintf(&out, "      memref.dealloc %s : memref<4xi32>\n", x)
			}
		}
		fmt.Fprintf(&out, "      scf.yield %s, %s : memref<4xi32>, memref<4xi32>", to[0], to[1])
		return out.String()
	}
	for _, condition := range []string{"andi %c, %c : i1", "cmpi eq, %i, %one : index"} {
		for _, then := range handed {
			for _, els := range handed {
				src := fmt.Sprintf(`
func.func @f(%%n: index, %%c: i1) {
  %%zero = arith.constant 0 : index
  %%one = arith.constant 1 : index
  %%a = memref.alloc() : memref<4xi32>
  %%b = memref.alloc() : memref<4xi32>
  %%r:2 = scf.for %%i = %%zero to %%n step %%one iter_args(%%p = %%a, %%q = %%b) -> (memref<4xi32>, memref<4xi32>) {
    %%k = arith.%s
    %%s:2 = scf.if %%k -> (memref<4xi32>, memref<4xi32>) {
%s
    } else {
%s
    }
    scf.yield %%s#0, %%s#1 : memref<4xi32>, memref<4xi32>
  }
  memref.dealloc %%r#0 : memref<4xi32>
  memref.dealloc %%r#1 : memref<4xi32>
  return
}`, condition, branch(then), branch(els))
				m := load([]byte(src))
				if got := verdict(m); got != "safe" {
					t.Errorf("it is %s:%s", got, src)
				}
				if _, why := certify(t, m); why != "" {
					t.Errorf("not certified: %s%s", why, src)
				}
				wrong := strings.Replace(src, "  memref.dealloc %r#1 : memref<4xi32>\n", "", 1)
				if got := verdict(load([]byte(wrong))); got != "unsafe" {
					t.Errorf("it is %s:%s", got, wrong)
				}
			}
		}
	}
}
