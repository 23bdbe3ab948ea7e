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

// A buffer that is freed under a comparison and under another one of the same operands, in either order, is freed once just if the
// predicates are opposites: for all predicates, by the check as by what verifies its certificates. The outcomes are that one operand is
// (e)qual, (l)ess, (g)reater, or that there is (n)o order; of integers (u)nsigned ones go with the signed ones.
func TestOppositeComparisons(t *testing.T) {
	floats := map[string]string{
		"false": "", "oeq": "e", "ogt": "g", "oge": "eg", "olt": "l", "ole": "el", "one": "gl", "ord": "egl",
		"ueq": "en", "ugt": "gn", "uge": "egn", "ult": "ln", "ule": "eln", "une": "gln", "uno": "n", "true": "egln",
	}
	// Less is l as signed number and L as unsigned one, or l and G, or g and L, or g and G: A, B, C, D.
	integers := map[string]string{
		"eq": "e", "ne": "ABCD", "slt": "AB", "sle": "eAB", "sgt": "CD", "sge": "eCD", "ult": "AC", "ule": "eAC", "ugt": "BD", "uge": "eBD",
	}
	exchange := strings.NewReplacer("l", "g", "g", "l", "A", "D", "B", "C", "C", "B", "D", "A")
	for _, c := range []struct {
		first, second, typ, all, ofSame string
		outcomes                        map[string]string
	}{
		{"arith.cmpf %s, %s, %s : f32", "arith.cmpf %s, %s, %s : f32", "f32", "egln", "en", floats},
		{"arith.cmpf %s, %s, %s fastmath<nnan> : f64", "arith.cmpf %s, %s, %s fastmath<nnan> : f64", "f64", "egl", "e", floats}, // NaN is undefined
		{"arith.cmpi %s, %s, %s : i32", "arith.cmpi %s, %s, %s : i32", "i32", "eABCD", "e", integers},
		{"arith.cmpi %s, %s, %s : index", "index.cmp %s(%s, %s)", "index", "eABCD", "e", integers},
		{"index.cmp %s(%s, %s)", "index.cmp %s(%s, %s)", "index", "eABCD", "e", integers},
	} {
		judged := map[string]int{}
		for p, first := range c.outcomes {
			for q, second := range c.outcomes {
				for _, of := range []string{"%x %y %x %y", "%x %y %y %x", "%x %x %x %x"} {
					b, all := second, c.all
					switch of {
					case "%x %y %y %x":
						b = exchange.Replace(second)
					case "%x %x %x %x":
						all = c.ofSame
					}
					once := true
					for _, o := range all {
						once = once && strings.ContainsRune(first, o) != strings.ContainsRune(b, o)
					}
					at := strings.Fields(of)
					src := fmt.Sprintf(`
func.func @f(%%x: TYPE, %%y: TYPE) {
  %%a = memref.alloc() : memref<4xf32>
  %%c = `+c.first+`
  %%d = `+c.second+`
  scf.if %%c { memref.dealloc %%a : memref<4xf32> }
  scf.if %%d { memref.dealloc %%a : memref<4xf32> }
  return
}`, p, at[0], at[1], q, at[2], at[3])
					m := load([]byte(strings.ReplaceAll(src, "TYPE", c.typ)))
					want := map[bool]string{true: "safe", false: "unsafe"}[once]
					judged[want]++
					if got := verdict(m); got != want {
						t.Errorf("it is %s:%s", got, src)
					}
					if _, why := certify(t, m); why != "" {
						t.Errorf("not certified: %s%s", why, src)
					}
				}
			}
		}
		if judged["safe"] == 0 || judged["unsafe"] == 0 {
			t.Error(judged)
		}
	}
}
