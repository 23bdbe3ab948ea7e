package analysis_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// leaking finds what frees, in a line of its own.
var leaking = regexp.MustCompile(`(?m)^ *memref\.dealloc .*\n`)

// diamonds is a function with n choices, one after the other, between the last buffer and a new one. What the last one
// chose is freed, or in a cycle what the first one chooses from.
func diamonds(n int, cycle bool) string {
	var s strings.Builder
	s.WriteString("func.func @f(%c: i1) {\n  %a = memref.alloc() : memref<4xf32>\n  cf.br ^h0(%a : memref<4xf32>)\n")
	for i := range n {
		fmt.Fprintf(&s, "^h%[1]d(%%p%[1]d: memref<4xf32>):\n  cf.cond_br %%c, ^l%[1]d, ^h%[2]d(%%p%[1]d : memref<4xf32>)\n", i, i+1)
		fmt.Fprintf(&s, "^l%[1]d:\n  %%a%[1]d = memref.alloc() : memref<4xf32>\n  memref.copy %%p%[1]d, %%a%[1]d : memref<4xf32> to memref<4xf32>\n  cf.br ^h%[2]d(%%a%[1]d : memref<4xf32>)\n", i, i+1)
	}
	fmt.Fprintf(&s, "^h%[1]d(%%p%[1]d: memref<4xf32>):\n", n)
	if cycle {
		fmt.Fprintf(&s, "  cf.cond_br %%c, ^h0(%%p%[1]d : memref<4xf32>), ^e\n^e:\n", n)
	}
	fmt.Fprintf(&s, "  memref.dealloc %%p%[1]d : memref<4xf32>\n  return\n}\n", n)
	return s.String()
}

// What is found of a buffer is the same whether its holders are looked at one by one or, as they are many, together.
func TestLifetimesOfManyHolders(t *testing.T) {
	for _, n := range []int{3, 600} {
		for _, cycle := range []bool{false, true} {
			m, _ := load(t, diamonds(n, cycle))
			fn := m.BodyBlock(0).First()
			b := analysis.NewBuffers(fn, analysis.BufferOptions{})
			l := analysis.NewLifetimes(fn)
			alive := l.Buffers(b, func(v *ir.Value) bool { return interfaces.HasEffect(v.DefiningOp(), interfaces.Allocate, v) })
			if len(alive.Buffers) != n+1 || len(alive.Holders) != 2*(n+1) {
				t.Fatalf("%d buffers, %d holders", len(alive.Buffers), len(alive.Holders))
			}
			most := analysis.Held(alive, func(i int) int { return i }, func(x, y int) int { return max(x, y) })
			several := analysis.Holding(alive, func(i int) bool { return most[i] > alive.Holders[i].Buffer && alive.Holders[i].Buffer >= 0 }, func(x, y bool) bool { return x || y })
			groups := b.NewFreeGroups()
			group, _ := groups.Of(alive.Buffers[0].Value)
			for i, x := range alive.Buffers {
				begin, _ := l.Of(x.Value.DefiningOp())
				if x.Overlaps != (cycle && i > 0) || !x.Freed || x.Leaked || several[i] {
					t.Fatalf("%d, cycle %v: buffer %d: overlaps %v, freed %v, leaked %v, several %v", n, cycle, i, x.Overlaps, x.Freed, x.Leaked, several[i])
				}
				if first, last := x.Spans[0].Lower, x.Spans[len(x.Spans)-1].Upper; first > begin || last < l.End()-6 || !cycle && first != begin {
					t.Fatalf("%d, cycle %v: buffer %d, made at %d, is alive %v", n, cycle, i, begin, x.Spans)
				}
				if g, ok := groups.Of(x.Value); !ok || g != group {
					t.Fatalf("buffer %d is in group %d, the first in %d", i, g, group)
				}
			}
		}
	}
}

// What is never freed is alive as long as control may go on. Ten times the program takes about ten times as long.
func BenchmarkNeverFreed(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			m, _ := load(b, leaking.ReplaceAllString(diamonds(n, false), ""))
			fn := m.BodyBlock(0).First()
			buffers := analysis.NewBuffers(fn, analysis.BufferOptions{})
			for b.Loop() {
				analysis.NewLifetimes(fn).Buffers(buffers, func(v *ir.Value) bool { return interfaces.HasEffect(v.DefiningOp(), interfaces.Allocate, v) })
			}
		})
	}
}
