package check_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/proof/check"
)

// arithmetic is a random program on two numbers and two booleans, which frees a buffer under one comparison and unless another
// one holds, with what it computes for given arguments.
type arithmetic struct {
	text    strings.Builder
	numbers []func(x [2]int64, b [2]bool) int64
	truths  []func(x [2]int64, b [2]bool) bool
}

// compute adds an operation on what there is.
func (p *arithmetic) compute(r *rand.Rand) {
	i, j := r.IntN(len(p.numbers)), r.IntN(len(p.numbers))
	v, w := p.numbers[i], p.numbers[j]
	k := r.IntN(len(p.truths))
	c := p.truths[k]
	name := fmt.Sprint("%n", len(p.numbers))
	switch n := r.IntN(10); n {
	case 0, 1, 2, 3:
		fmt.Fprintf(&p.text, "  %s = arith.select %%c%d, %%n%d, %%n%d : index\n", name, k, i, j)
		p.numbers = append(p.numbers, func(x [2]int64, b [2]bool) int64 {
			if c(x, b) {
				return v(x, b)
			}
			return w(x, b)
		})
	case 4:
		fmt.Fprintf(&p.text, "  %s = scf.if %%c%d -> (index) {\n    scf.yield %%n%d : index\n  } else {\n    scf.yield %%n%d : index\n  }\n", name, k, i, j)
		p.numbers = append(p.numbers, func(x [2]int64, b [2]bool) int64 {
			if c(x, b) {
				return v(x, b)
			}
			return w(x, b)
		})
	case 5, 6:
		p.compare(r)
	default:
		ops := []string{"minsi", "maxui", "addi", "subi", "muli", "andi"}
		o := r.IntN(len(ops))
		fmt.Fprintf(&p.text, "  %s = arith.%s %%n%d, %%n%d : index\n", name, ops[o], i, j)
		p.numbers = append(p.numbers, func(x [2]int64, b [2]bool) int64 {
			v, w := v(x, b), w(x, b)
			switch ops[o] {
			case "minsi":
				return min(v, w)
			case "maxui":
				return int64(max(uint64(v), uint64(w)))
			case "addi":
				return v + w
			case "subi":
				return v - w
			case "muli":
				return v * w
			}
			return v & w
		})
	}
}

// compare adds a comparison.
func (p *arithmetic) compare(r *rand.Rand) {
	i, j := r.IntN(len(p.numbers)), r.IntN(len(p.numbers))
	v, w := p.numbers[i], p.numbers[j]
	predicates := []string{"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "uge"}
	o := r.IntN(len(predicates))
	fmt.Fprintf(&p.text, "  %%c%d = arith.cmpi %s, %%n%d, %%n%d : index\n", len(p.truths), predicates[o], i, j)
	p.truths = append(p.truths, func(x [2]int64, b [2]bool) bool {
		v, w := v(x, b), w(x, b)
		switch predicates[o] {
		case "eq":
			return v == w
		case "ne":
			return v != w
		case "slt":
			return v < w
		case "sle":
			return v <= w
		case "sgt":
			return v > w
		case "sge":
			return v >= w
		case "ult":
			return uint64(v) < uint64(w)
		}
		return uint64(v) >= uint64(w)
	})
}

// What is computed of numbers that are selected: no program is called safe that goes wrong for some numbers, and none is called unsafe
// that goes wrong for none. The number of a loop's iterations is such a condition as well.
func TestSelectedNumbers(t *testing.T) {
	judged := map[string]int{}
	for seed := range uint64(50 * *programs) {
		r := rand.New(rand.NewPCG(*first+seed, 39))
		p := &arithmetic{}
		p.text.WriteString("func.func @main(%n0: index, %n1: index, %c0: i1, %c1: i1) {\n")
		known := int64(r.IntN(4) - 1)
		fmt.Fprintf(&p.text, "  %%n2 = arith.constant %d : index\n  %%one = arith.constant 1 : index\n", known)
		for i := range 2 {
			p.numbers = append(p.numbers, func(x [2]int64, _ [2]bool) int64 { return x[i] })
			p.truths = append(p.truths, func(_ [2]int64, b [2]bool) bool { return b[i] })
		}
		p.numbers = append(p.numbers, func([2]int64, [2]bool) int64 { return known })
		for range 1 + r.IntN(5) {
			p.compute(r)
		}
		p.compare(r)
		p.compare(r)
		sc, tc := p.truths[len(p.truths)-2], p.truths[len(p.truths)-1]
		wrong := func(x [2]int64, b [2]bool) bool { return sc(x, b) != tc(x, b) }
		if r.IntN(3) == 0 {
			i, j := r.IntN(len(p.numbers)), r.IntN(len(p.numbers))
			v, w := p.numbers[i], p.numbers[j]
			wrong = func(x [2]int64, b [2]bool) bool { return v(x, b) < w(x, b) && sc(x, b) }
			fmt.Fprintf(&p.text, `  scf.for %%i = %%n%d to %%n%d step %%one {
    scf.if %%c%d {
      %%a = memref.alloc() : memref<4xf32>
    }
  }
`, i, j, len(p.truths)-2)
		} else {
			fmt.Fprintf(&p.text, `  %%a = memref.alloc() : memref<4xf32>
  scf.if %%c%d {
    memref.dealloc %%a : memref<4xf32>
  }
  scf.if %%c%d {
  } else {
    memref.dealloc %%a : memref<4xf32>
  }
`, len(p.truths)-2, len(p.truths)-1)
		}
		p.text.WriteString("  return\n}\n")
		m := load([]byte(p.text.String()))
		if m == nil {
			t.Fatal(p.text.String())
		}
		goesWrong := false
		some := []int64{math.MinInt64, math.MinInt64 + 1, -9, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 9, math.MaxInt64 - 1, math.MaxInt64}
		for _, x := range some {
			for _, y := range some {
				for k := range 4 {
					goesWrong = goesWrong || wrong([2]int64{x, y}, [2]bool{k&1 != 0, k&2 != 0})
				}
			}
		}
		report := check.Module(m, check.Options{Threads: 1})
		answer := "not judged"
		switch {
		case report.Safe():
			answer = "safe"
			certify(t, m)
		case len(report.Findings) > 0:
			answer = "unsafe"
		}
		judged[fmt.Sprint(answer, " ", goesWrong)]++
		if answer == "safe" && goesWrong || answer == "unsafe" && !goesWrong {
			t.Errorf("seed %d: called %s:\n%s", seed, answer, p.text.String())
		}
	}
	t.Log(judged)
	for _, some := range []string{"safe false", "unsafe true", "not judged false"} {
		if judged[some] == 0 {
			t.Errorf("no program is %s", some)
		}
	}
}
