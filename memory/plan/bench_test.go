package plan

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// shared is where the instances of others are, if they are there.
const shared = "../../../shared/bench/"

func readInstance(t testing.TB, path string) *Problem {
	f, err := os.Open(filepath.Join(shared, path))
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	table, err := ReadCSV(f, path)
	if err != nil {
		t.Fatal(err)
	}
	return &table.Problem
}

// solveTo fails if there is no plan with at most the peak after a number of placings, which
// says more about the search than the time on a machine that has other things to do.
func solveTo(t testing.TB, p *Problem, peak, nodes int64) *Solution {
	p.Capacity = peak
	s, err := Solve(context.Background(), p, Options{NodeLimit: nodes})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The instances of MiniMalloc fit into their capacity.
func TestMiniMalloc(t *testing.T) {
	for _, name := range []string{"A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K"} {
		t.Run(name, func(t *testing.T) {
			p := readInstance(t, "minimalloc/"+name+".1048576.csv")
			s := solveTo(t, p, 1<<20, 5_000_000)
			if err := Verify(p, s); err != nil {
				t.Fatal(err)
			}
			if err := checkPlan(p, s); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// Those of idealloc have plans at their lower bound, or near it.
func TestTraining(t *testing.T) {
	for _, x := range []struct {
		name        string
		bound, most int64
	}{
		{"G_1", 3030937746, 3030937746}, {"resnet50", 1515472556, 1515472556}, {"S_1", 1498635932, 1498635932 * 1005 / 1000},
	} {
		t.Run(x.name, func(t *testing.T) {
			p := readInstance(t, "dsa/"+x.name+".csv")
			s := solveTo(t, p, x.most, 1_000_000)
			if s.Bound.Bytes != x.bound {
				t.Errorf("the bound is %d, want %d", s.Bound.Bytes, x.bound)
			}
			if err := Verify(p, s); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func BenchmarkMiniMalloc(b *testing.B) {
	for _, name := range []string{"A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K"} {
		p := readInstance(b, "minimalloc/"+name+".1048576.csv")
		p.Capacity = 1 << 20
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s, err := Solve(context.Background(), p, Options{})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(s.Nodes), "nodes")
			}
		})
	}
}

func BenchmarkTraining(b *testing.B) {
	for _, name := range []string{"G_1", "resnet50", "S_1"} {
		p := readInstance(b, "dsa/"+name+".csv")
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s, err := Solve(context.Background(), p, Options{NodeLimit: 100_000})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(100*(float64(s.Peak)/float64(s.LowerBound)-1), "%above")
			}
		})
	}
}

func BenchmarkRandom(b *testing.B) {
	for _, length := range []int64{100, 10_000} {
		for k := range solverNames {
			for _, n := range []int{10_000, 1_000_000} {
				if Solver(k) == Exact || Solver(k) == Auto {
					continue
				}
				b.Run(fmt.Sprintf("%v/%d/%d", Solver(k), length, n), func(b *testing.B) {
					p := random(n, length, 1)
					for b.Loop() {
						s, err := Solve(context.Background(), p, Options{Solver: Solver(k)})
						if err != nil {
							b.Fatal(err)
						}
						b.ReportMetric(100*(float64(s.Peak)/float64(s.LowerBound)-1), "%above")
					}
				})
			}
		}
	}
}

func BenchmarkVerify(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := random(n, 1000, 1)
			s, err := Solve(context.Background(), p, Options{Solver: BestFit})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if err := Verify(p, s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Few buffers of mixed alignments, pinned, or with gaps have plans that are proved to be the best.
func TestHard(t *testing.T) {
	for name, want := range map[string]int64{
		"al4": 2664, "al10": 2421, "al29": 2057, "pg_gap1": 274, "pg_gap3": 284, "pg_pin0": 244, "pg_pin1": 246, "ten": 1351, "two": 12,
	} {
		t.Run(name, func(t *testing.T) {
			p := readInstance(t, "hard/"+name+".csv")
			s, err := Solve(context.Background(), p, Options{NodeLimit: 5_000_000})
			if err != nil {
				t.Fatal(err)
			}
			if err := checkPlan(p, s); err != nil {
				t.Fatal(err)
			}
			if s.Peak != want || s.LowerBound != want {
				t.Errorf("peak %d, bound %d, want %d (%d nodes)", s.Peak, s.LowerBound, want, s.Nodes)
			}
		})
	}
}
