package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawProblem draws a small problem.
func drawProblem(t *rapid.T, most int, pins bool) *Problem {
	p := &Problem{}
	n := rapid.IntRange(0, most).Draw(t, "buffers")
	spans := rapid.SampledFrom([]int{1, 1, 2, 3}).Draw(t, "intervals")
	aligns := rapid.SampledFrom([][]int64{{0, 1}, {1, 2}, {4}, {1, 2, 4, 8}, {3, 5}}).Draw(t, "alignments")
	size := rapid.SampledFrom([]int64{3, 12, 50}).Draw(t, "size")
	span := rapid.Int64Range(1, 10).Draw(t, "span")
	for range n {
		b := Buffer{Size: rapid.Int64Range(0, size).Draw(t, "size"), Alignment: rapid.SampledFrom(aligns).Draw(t, "alignment")}
		for range rapid.IntRange(1, spans).Draw(t, "intervals") {
			l := rapid.Int64Range(-3, 8).Draw(t, "lower")
			b.Live = append(b.Live, Interval{l, l + rapid.Int64Range(0, span).Draw(t, "length")})
		}
		p.Buffers = append(p.Buffers, b)
	}
	if pins && n > 0 && rapid.Bool().Draw(t, "pin") {
		b := &p.Buffers[rapid.IntRange(0, n-1).Draw(t, "pinned")]
		b.Pinned, b.Offset = true, rapid.Int64Range(0, 20).Draw(t, "offset")*max(1, b.Alignment)
	}
	return p
}

func conflict(a, b *Buffer) bool {
	for _, x := range a.Live {
		for _, y := range b.Live {
			if max(x.Lower, y.Lower) < min(x.Upper, y.Upper) {
				return true
			}
		}
	}
	return false
}

// checkPlan checks a plan in quadratic time, from the definition.
func checkPlan(p *Problem, s *Solution) error {
	var peak int64
	for i := range p.Buffers {
		a, x := &p.Buffers[i], s.Offsets[i]
		if x < 0 || a.Alignment > 1 && x%a.Alignment != 0 || a.Pinned && x != a.Offset {
			return fmt.Errorf("offset %d of buffer %d", x, i)
		}
		if a.inUse() {
			peak = max(peak, x+a.Size)
		}
		for j := range i {
			b, y := &p.Buffers[j], s.Offsets[j]
			if conflict(a, b) && max(x, y) < min(x+a.Size, y+b.Size) {
				return fmt.Errorf("buffers %d and %d overlap", i, j)
			}
		}
	}
	if peak != s.Peak {
		return fmt.Errorf("peak %d, not %d", peak, s.Peak)
	}
	return nil
}

// bruteForce returns the smallest peak: it places the buffers in all orders, each as low
// as those allow that are placed.
func bruteForce(p *Problem) int64 {
	best := int64(math.MaxInt64)
	offsets := make([]int64, len(p.Buffers))
	var placed []int
	var rec func(left []int, peak int64)
	rec = func(left []int, peak int64) {
		if peak >= best {
			return
		}
		if len(left) == 0 {
			best = peak
			return
		}
		for k, i := range left {
			b := &p.Buffers[i]
			at := int64(0)
			for again := true; again; {
				again = false
				at = alignUp(at, b.Alignment)
				for _, j := range placed {
					c := &p.Buffers[j]
					if conflict(b, c) && max(at, offsets[j]) < min(at+b.Size, offsets[j]+c.Size) {
						at, again = offsets[j]+c.Size, true
					}
				}
			}
			offsets[i] = at
			placed = append(placed, i)
			rest := append(slices.Clone(left[:k]), left[k+1:]...)
			rec(rest, max(peak, at+b.Size))
			placed = placed[:len(placed)-1]
		}
	}
	var left []int
	peak := int64(0)
	for i := range p.Buffers {
		switch b := &p.Buffers[i]; {
		case !b.inUse():
		case b.Pinned:
			offsets[i] = b.Offset
			placed = append(placed, i)
			peak = max(peak, b.Offset+b.Size)
		default:
			left = append(left, i)
		}
	}
	rec(left, peak)
	return best
}

// The search finds the smallest peak, and proves it.
func TestExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, 7, false)
		s, err := Solve(context.Background(), p, Options{Solver: rapid.SampledFrom([]Solver{Auto, Exact}).Draw(t, "solver")})
		if err != nil {
			t.Fatal(err)
		}
		if err := checkPlan(p, s); err != nil {
			t.Fatal(err)
		}
		if err := Verify(p, s); err != nil {
			t.Fatal(err)
		}
		if want := bruteForce(p); s.Peak != want || !s.Optimal() {
			t.Fatalf("peak %d (%v, optimal: %v), want %d", s.Peak, s.Strategy, s.Optimal(), want)
		}
		if s.Peak > 0 {
			p.Capacity = s.Peak
			if _, err := Solve(context.Background(), p, Options{}); err != nil {
				t.Fatal(err)
			}
			if p.Capacity--; p.Capacity > 0 {
				var e *CapacityError
				if _, err := Solve(context.Background(), p, Options{}); !errors.As(err, &e) || !e.Impossible() {
					t.Fatalf("%v", err)
				}
			}
		}
	})
}

// Every strategy finds valid plans, at any number of threads the same, and none that is
// below the bound.
func TestStrategies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, 30, true)
		if p.checkPins() != nil {
			t.Skip()
		}
		for k := range solverNames {
			o := Options{Solver: Solver(k), NodeLimit: 3000, Threads: 1}
			s, err := Solve(context.Background(), p, o)
			if err != nil {
				t.Fatal(err)
			}
			if err := checkPlan(p, s); err != nil {
				t.Fatalf("%v: %v %s %+v %v", o.Solver, err, s.Strategy, p, s.Offsets)
			}
			if err := Verify(p, s); err != nil {
				t.Fatalf("%v: %v %s %+v %v", o.Solver, err, s.Strategy, p, s.Offsets)
			}
			o.Threads = 4
			if again, err := Solve(context.Background(), p, o); err != nil || fmt.Sprint(again) != fmt.Sprint(s) {
				t.Fatalf("%v: %v with 1 thread, %v with 4 (%v)", o.Solver, s, again, err)
			}
		}
	})
}

// Verify finds what is wrong with a solution just if the quadratic check does.
func TestVerifyMutated(t *testing.T) {
	refused := 0
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, 12, false)
		if len(p.Buffers) == 0 {
			t.Skip()
		}
		s, err := Solve(context.Background(), p, Options{Solver: Heuristic})
		if err != nil {
			t.Fatal(err)
		}
		i := rapid.IntRange(0, len(p.Buffers)-1).Draw(t, "moved")
		b := &p.Buffers[i]
		s.Offsets[i] = rapid.Int64Range(-1, 60).Draw(t, "offset")
		s.Peak = 0
		for i, o := range s.Offsets {
			if p.Buffers[i].inUse() {
				s.Peak = max(s.Peak, o+p.Buffers[i].Size)
			}
		}
		want := checkPlan(p, s)
		if got := Verify(p, s); (want == nil) != (got == nil) {
			t.Fatalf("%+v: %v, want %v", b, got, want)
		}
		if want != nil {
			refused++
		}
	})
	if refused == 0 {
		t.Error("no mutation was refused")
	}
}

func TestVerify(t *testing.T) {
	p := &Problem{Buffers: []Buffer{
		{ID: "a", Size: 4, Live: []Interval{{0, 3}}},
		{ID: "b", Size: 4, Alignment: 4, Live: []Interval{{2, 5}}},
		{ID: "c", Size: 2, Live: []Interval{{0, 1}, {4, 6}}},
		{ID: "d", Size: 1, Pinned: true, Offset: 10, Live: []Interval{{0, 9}}},
	}, Capacity: 12}
	tests := []struct {
		change func(*Solution)
		want   string
	}{
		{func(s *Solution) {}, ""},
		{func(s *Solution) { s.Offsets[2] = 9 }, `buffer "c" at [9, 11) and buffer "d" at [10, 11) are both alive at time 0`},
		{func(s *Solution) { s.Offsets[2] = 6 }, `buffer "b" at [4, 8) and buffer "c" at [6, 8) are both alive at time 4`},
		{func(s *Solution) { s.Offsets[1] = 0 }, `buffer "a" at [0, 4) and buffer "b" at [0, 4) are both alive at time 2`},
		{func(s *Solution) { s.Offsets[0] = -1 }, `buffer "a": the offset -1 is below zero`},
		{func(s *Solution) { s.Offsets[1] = 5 }, `buffer "b": the offset 5 is no multiple of the alignment 4`},
		{func(s *Solution) { s.Offsets[3] = 8 }, `buffer "d": it is at offset 8, but pinned to 10`},
		{func(s *Solution) { s.Offsets[0] = 9 }, `buffer "a": it ends at 13, above the capacity 12`},
		{func(s *Solution) { s.Offsets[0] = math.MaxInt64 }, `buffer "a": the offset 9223372036854775807 and the size 4 add up to more than 9223372036854775807`},
		{func(s *Solution) { s.Offsets = s.Offsets[1:] }, `3 offsets for 4 buffers`},
		{func(s *Solution) { s.Peak = 12 }, `the peak is 11, not 12`},
		{func(s *Solution) { s.LowerBound = 10 }, `the lower bound is 11, not 10`},
		{func(s *Solution) { s.LowerBound = 12 }, `the lower bound is 11, not 12`},
		{func(s *Solution) { s.LowerBound, s.Searched = 12, true }, `the peak 11 is below the lower bound 12`},
		{func(s *Solution) { s.Bound.Pinned = 4 }, `the bound names buffer 4 of 4`},
		{func(s *Solution) { s.Bound.Pinned = 0 }, `the bound 11 is not the end of buffer "a"`},
		{func(s *Solution) { s.Bound = Bound{Bytes: 11, Time: 2, Granule: 1, Pinned: -1} }, `what is alive at time 2 needs 9, not 11`},
		{func(s *Solution) { s.Bound = Bound{Bytes: 11, Time: 2, Pinned: -1} }, `the bound has granule 0`},
	}
	for _, x := range tests {
		s := &Solution{Offsets: []int64{0, 4, 8, 10}, Peak: 11, Bound: Bound{Bytes: 11, Granule: 1, Pinned: 3}, LowerBound: 11}
		x.change(s)
		if err := Verify(p, s); fmt.Sprint(err) != cmp.Or(x.want, "<nil>") {
			t.Errorf("%v, want %s", err, x.want)
		}
	}
}

// The bound of what is aligned is that of multiples of the alignment.
func TestLowerBound(t *testing.T) {
	at := []Interval{{3, 5}}
	tests := []struct {
		buffers []Buffer
		want    Bound
	}{
		{nil, Bound{Granule: 1, Pinned: -1}},
		{[]Buffer{{Size: 3, Live: at}, {Size: 5, Live: at}, {Size: 7, Live: []Interval{{5, 6}}}}, Bound{8, 3, 1, -1}},
		{[]Buffer{{Size: 3, Alignment: 4, Live: at}, {Size: 5, Alignment: 4, Live: at}}, Bound{9, 3, 4, -1}},
		{[]Buffer{{Size: 3, Alignment: 8, Live: at}, {Size: 5, Alignment: 4, Live: at}, {Size: 3, Live: at}}, Bound{11, 3, 1, -1}},
		{[]Buffer{{Size: 65, Alignment: 64, Live: at}, {Size: 1, Alignment: 64, Live: at}}, Bound{129, 3, 64, -1}},
		{[]Buffer{{Size: 3, Live: at, Pinned: true, Offset: 6}}, Bound{9, 0, 1, 0}},
	}
	for _, x := range tests {
		p := &Problem{Buffers: x.buffers}
		if got := LowerBound(p); got != x.want {
			t.Errorf("%+v: %+v, want %+v", x.buffers, got, x.want)
		}
	}
}

func TestValidate(t *testing.T) {
	tests := []struct {
		p    Problem
		want string
	}{
		{Problem{Capacity: -1}, "the capacity -1 is below zero"},
		{Problem{Buffers: []Buffer{{ID: "x"}, {}, {}, {ID: "x"}}}, `buffer "x": there is another buffer with this id`},
		{Problem{Buffers: []Buffer{{Size: -2}}}, "buffer 0: the size -2 is below zero"},
		{Problem{Buffers: []Buffer{{Alignment: -2}}}, "buffer 0: the alignment -2 is below zero"},
		{Problem{Buffers: []Buffer{{Live: []Interval{{2, 2}, {3, 1}}}}}, "buffer 0: it is alive from 3 to 1, which is before"},
		{Problem{Buffers: []Buffer{{Pinned: true, Offset: -1}}}, "buffer 0: the offset -1 is below zero"},
		{Problem{Buffers: []Buffer{{Pinned: true, Offset: 6, Alignment: 4}}}, "buffer 0: the offset 6 is no multiple of the alignment 4"},
		{Problem{Buffers: []Buffer{{Pinned: true, Offset: math.MaxInt64, Size: 1}}}, "buffer 0: the offset 9223372036854775807 and the size 1 add up to more than 9223372036854775807"},
		{Problem{Buffers: []Buffer{{Size: math.MaxInt64, Live: []Interval{{0, 2}}}, {Size: 1, Live: []Interval{{1, 2}}}}},
			"buffer 1: with it, what is alive at time 1 is larger than 9223372036854775807"},
		{Problem{Buffers: []Buffer{{Size: 4, Pinned: true, Live: []Interval{{0, 2}}}, {Size: 4, Pinned: true, Offset: 3, Live: []Interval{{1, 2}}}}},
			"buffer 1: it is pinned where buffer 0 is at time 1"},
	}
	for _, x := range tests {
		if err := x.p.Validate(); err == nil || err.Error() != x.want {
			t.Errorf("%v, want %s", err, x.want)
		}
		if _, err := Solve(context.Background(), &x.p, Options{}); err == nil || err.Error() != x.want {
			t.Errorf("Solve: %v, want %s", err, x.want)
		}
	}
}

// Numbers near the ends of int64 give a plan or an error.
func TestLargeNumbers(t *testing.T) {
	const huge = math.MaxInt64
	live := []Interval{{math.MinInt64, math.MaxInt64}}
	tests := []struct {
		buffers []Buffer
		peak    int64
		err     string
	}{
		{[]Buffer{{Size: huge, Live: live}}, huge, ""},
		{[]Buffer{{Size: huge - 1, Live: live}, {Size: 1, Live: live}}, huge, ""},
		{[]Buffer{{Size: huge, Live: []Interval{{0, 1}}}, {Size: huge, Live: []Interval{{1, 2}}}}, huge, ""},
		{[]Buffer{{Size: huge - 1, Alignment: 2, Live: live}, {Size: 1, Alignment: 1 << 62, Live: live}}, 0, "no plan with offsets below 9223372036854775807 was found"},
		{[]Buffer{{Size: 10, Alignment: 1 << 62, Live: live}, {Size: 7, Alignment: huge, Live: live}}, 1<<62 + 10, ""},
		{[]Buffer{{Size: 1 << 62, Alignment: huge, Live: live}, {Size: 1 << 61, Alignment: huge, Live: live}}, 0, "no plan with offsets below 9223372036854775807 was found"},
	}
	for _, x := range tests {
		for k := range solverNames {
			p := &Problem{Buffers: x.buffers}
			s, err := Solve(context.Background(), p, Options{Solver: Solver(k)})
			if err != nil {
				if err.Error() != x.err {
					t.Errorf("%v: %+v: %v, want %s", Solver(k), x.buffers, err, x.err)
				}
				continue
			}
			if x.err != "" || s.Peak != x.peak {
				t.Errorf("%v: %+v: peak %d, want %d (%s)", Solver(k), x.buffers, s.Peak, x.peak, x.err)
			}
			if err := Verify(p, s); err != nil {
				t.Errorf("%v: %+v: %v", Solver(k), x.buffers, err)
			}
		}
	}
}

// Conflicts keep buffers apart that are alive at different times.
func TestAddConflicts(t *testing.T) {
	p := &Problem{}
	for i := range int64(4) {
		p.Buffers = append(p.Buffers, Buffer{Size: 1 + i, Live: []Interval{{i, i + 1}}})
	}
	if err := p.AddConflicts([][2]int{{0, 1}, {1, 2}, {2, 3}}); err != nil {
		t.Fatal(err)
	}
	s, err := Solve(context.Background(), p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := checkPlan(p, s); err != nil {
		t.Fatal(err)
	}
	if s.Peak != 7 || !s.Optimal() {
		t.Errorf("peak %d", s.Peak)
	}
	p.Buffers[0].Live = []Interval{{0, math.MaxInt64 - 1}}
	if err := p.AddConflicts([][2]int{{0, 1}, {0, 2}}); err == nil || err.Error() != "no time is left for 2 conflicts" {
		t.Error(err)
	}
}

// What can't be met says why.
func TestCapacityError(t *testing.T) {
	// At most 5 are alive at a time, but whatever is below what, there is a gap.
	hard := []Buffer{
		{Size: 2, Live: []Interval{{0, 4}}}, {Size: 1, Live: []Interval{{0, 1}}}, {Size: 3, Live: []Interval{{3, 6}}},
		{Size: 2, Live: []Interval{{5, 9}}}, {Size: 3, Live: []Interval{{8, 11}}}, {Size: 2, Live: []Interval{{10, 12}, {0, 1}}},
	}
	tests := []struct {
		p    Problem
		o    Options
		want string
	}{
		{Problem{Capacity: 4, Buffers: []Buffer{{Size: 3, Live: []Interval{{0, 2}}}, {Size: 2, Live: []Interval{{1, 2}}}}}, Options{},
			"the capacity 4 can't be met: what is alive at time 1 needs 5"},
		{Problem{Capacity: 4, Buffers: []Buffer{{ID: "x", Size: 3, Pinned: true, Offset: 2, Live: []Interval{{0, 1}}}}}, Options{},
			`the capacity 4 can't be met: buffer "x" is pinned and ends at 5`},
		{Problem{Capacity: 5, Buffers: hard}, Options{}, "the capacity 5 can't be met: no plan is below 6, as a search through all of them shows"},
		{Problem{Capacity: 5, Buffers: hard}, Options{Solver: Skyline},
			"the capacity 5 was not met: the best plan that skyline found needs 7, and there may be one that needs only 5"},
		{Problem{Capacity: 5, Buffers: hard}, Options{TimeLimit: 1, Threads: 1},
			"the capacity 5 was not met when the time ran out: the best plan found needs 7, and there may be one that needs only 5"},
	}
	for _, x := range tests {
		_, err := Solve(context.Background(), &x.p, x.o)
		if err == nil && x.want != "" || err != nil && err.Error() != x.want {
			t.Errorf("%v, want %s", err, x.want)
		}
	}
}

func TestParseSolver(t *testing.T) {
	for _, name := range Solvers() {
		if s, err := ParseSolver(name); err != nil || s.String() != name {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
	if _, err := ParseSolver("magic"); err == nil || err.Error() != `unknown solver "magic"` {
		t.Error(err)
	}
	for _, s := range []Solver{-1, Exact + 1} {
		if _, err := Solve(context.Background(), &Problem{}, Options{Solver: s}); err == nil || err.Error() != fmt.Sprintf("unknown solver %d", int(s)) {
			t.Error(err)
		}
	}
}

// When the context ends, the best plan so far is the solution; and pinned buffers end the
// search themselves.
func TestStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := random(2000, 1000, 1)
	s, err := Solve(ctx, p, Options{})
	if err != nil || Verify(p, s) != nil {
		t.Error(err)
	}
	p = &Problem{Buffers: []Buffer{
		{Size: 4, Pinned: true, Offset: 5, Live: []Interval{{0, 9}}}, {Size: 6, Live: []Interval{{0, 9}}}, {Size: 3, Live: []Interval{{0, 9}}},
	}}
	if s, err = Solve(context.Background(), p, Options{}); err != nil || s.Peak != 15 || !s.Optimal() {
		t.Errorf("%+v, %v", s, err)
	}
	// Of many buffers, it isn't proved.
	for k := range int64(maxWindows) {
		p.Buffers = append(p.Buffers, Buffer{Size: 1, Live: []Interval{{9 + k, 10 + k}}})
	}
	if s, err = Solve(context.Background(), p, Options{}); err != nil || s.Peak != 15 || s.LowerBound != 13 {
		t.Errorf("%+v, %v", s, err)
	}
	p.Capacity = 14
	const notMet = "the capacity 14 was not met within the limits of the search: the best plan found needs 15, and there may be one that needs only 13"
	if _, err = Solve(context.Background(), p, Options{}); err == nil || err.Error() != notMet {
		t.Error(err)
	}
}

// The tree of maxima agrees with a slice.
func TestMaxTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for n := 1; n < 70; n++ {
		tree, want := newMaxTree(n), make([]int64, n)
		for range 200 {
			lo := rng.Int32N(int32(n))
			s := span{lo, lo + 1 + rng.Int32N(int32(n)-lo)}
			if got := tree.max(s); got != slices.Max(want[s.lo:s.hi]) {
				t.Fatalf("of %d, the largest of %v is %d, want %d", n, s, got, slices.Max(want[s.lo:s.hi]))
			}
			v := rng.Int64N(1000)
			tree.raise(s, v)
			for p := s.lo; p < s.hi; p++ {
				want[p] = max(want[p], v)
			}
		}
	}
}

// Many events are sorted as few are.
func TestSortEvents(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, most := range []int64{3, 5000, math.MaxInt64} {
		var evs []event
		for i := range 20_000 {
			evs = append(evs, event{time: rng.Int64N(most) - rng.Int64N(most), buffer: int32(i), start: i > 10_000})
		}
		want := slices.Clone(evs)
		slices.SortStableFunc(want, func(x, y event) int { return cmp.Compare(x.time, y.time) })
		if !slices.Equal(sortByNumber(evs, func(e event) int64 { return e.time }), want) {
			t.Errorf("times up to %d are not sorted", most)
		}
	}
}

// random returns a problem in which many buffers are alive at a time.
func random(n int, length int64, seed uint64) *Problem {
	rng := rand.New(rand.NewPCG(seed, seed))
	p := &Problem{Buffers: make([]Buffer, n)}
	for i := range p.Buffers {
		at := rng.Int64N(int64(n))
		d := 1 + int64(math.Exp(rng.Float64()*math.Log(float64(length))))
		p.Buffers[i] = Buffer{Size: 64 * (1 + int64(math.Exp(rng.Float64()*8))), Live: []Interval{{at, at + d}}}
	}
	return p
}
