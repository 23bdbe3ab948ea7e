package plan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// checkMemories checks a plan for several memories in quadratic time, from the definition.
func checkMemories(p *Problem, memories []Memory, choices []Choice, x *MemoryPlan) error {
	peaks := make([]int64, len(memories))
	var cost int64
	for i := range p.Buffers {
		a, k, o := &p.Buffers[i], x.Memory[i], x.Offsets[i]
		if c := choices[i].Allowed; len(c) > 0 && !strings.Contains(fmt.Sprint(c), fmt.Sprint(k)) {
			return fmt.Errorf("buffer %d is in memory %d", i, k)
		}
		if o < 0 || a.Alignment > 1 && o%a.Alignment != 0 || a.Pinned && o != a.Offset {
			return fmt.Errorf("offset %d of buffer %d", o, i)
		}
		if a.inUse() {
			peaks[k] = max(peaks[k], o+a.Size)
		}
		cost += memories[k].Cost * choices[i].Uses * a.Size
		for j := range i {
			b := &p.Buffers[j]
			if x.Memory[j] == k && conflict(a, b) && max(o, x.Offsets[j]) < min(o+a.Size, x.Offsets[j]+b.Size) {
				return fmt.Errorf("buffers %d and %d overlap", i, j)
			}
		}
	}
	for k, peak := range peaks {
		if peak != x.Peaks[k] || peak > memories[k].Capacity {
			return fmt.Errorf("peak %d of memory %d, said to be %d", peak, k, x.Peaks[k])
		}
	}
	if cost != x.Cost {
		return fmt.Errorf("cost %d, not %d", x.Cost, cost)
	}
	return nil
}

// bruteMemories returns the least cost of any plan, or -1 if there is none: it tries all memories of all buffers.
func bruteMemories(p *Problem, memories []Memory, choices []Choice) int64 {
	best := int64(-1)
	x := &MemoryPlan{Memory: make([]int, len(p.Buffers))}
	var rec func(i int, cost int64)
	rec = func(i int, cost int64) {
		if best >= 0 && cost >= best {
			return
		}
		if i == len(p.Buffers) {
			group := -1
			for j, c := range choices {
				if c.Group != 0 && group >= 0 && x.Memory[j] != group {
					return
				} else if c.Group != 0 {
					group = x.Memory[j]
				}
			}
			for k := range memories {
				if part, _ := x.part(p, memories, k); bruteForce(part) > memories[k].Capacity {
					return
				}
			}
			best = cost
			return
		}
		for _, k := range choices[i].allowed(memories) {
			x.Memory[i] = k
			rec(i+1, cost+memories[k].Cost*choices[i].Uses*p.Buffers[i].Size)
		}
	}
	rec(0, 0)
	return best
}

// Plans of a few buffers are valid, and cost as little as trying everything finds.
func TestSolveMemories(t *testing.T) {
	best, total := 0, 0
	for k := range uint64(150) {
		rng := rand.New(rand.NewPCG(k, 21))
		p := instance(kinds[rng.IntN(len(kinds))], 2+rng.IntN(4), rng)
		memories := []Memory{{"fast", int64(60 + rng.IntN(300)), 0}, {"slow", int64(200 + rng.IntN(3000)), int64(rng.IntN(3))}}
		choices := make([]Choice, len(p.Buffers))
		for i := range choices {
			choices[i].Uses = rng.Int64N(4)
			if x := rng.IntN(6); p.Buffers[i].Pinned || x < 2 {
				choices[i].Allowed = []int{x % 2}
			}
		}
		for i := range choices { // of half of the problems, some are a group
			if k%2 == 1 && !p.Buffers[i].Pinned && rng.IntN(3) == 0 {
				choices[i] = Choice{Uses: choices[i].Uses, Group: 7}
			}
		}
		want := bruteMemories(p, memories, choices)
		x, err := SolveMemories(context.Background(), p, memories, choices, Options{NodeLimit: 20_000})
		var e *MemoryError
		if errors.As(err, &e) {
			if want >= 0 && e.Impossible {
				t.Errorf("%d: %v, but there is a plan", k, err)
			}
			if want < 0 {
				continue
			}
		} else if err != nil {
			t.Fatalf("%d: %v", k, err)
		}
		total++
		if err != nil {
			continue
		}
		if err := checkMemories(p, memories, choices, x); err != nil {
			t.Fatalf("%d: %v", k, err)
		}
		if err := VerifyMemories(p, memories, choices, x); err != nil {
			t.Fatalf("%d: %v", k, err)
		}
		if want < 0 || x.Cost < want || x.Peaks[1] < x.LastBound {
			t.Fatalf("%d: cost %d, least %d; peak %d, bound %d", k, x.Cost, want, x.Peaks[1], x.LastBound)
		}
		if x.Cost == want {
			best++
		}
	}
	if 100*best < 98*total {
		t.Errorf("%d of %d are the best", best, total)
	}
}

// With 200,704 bytes of fast memory, subgraphs of networks need of the slow one what hill climbing has found, or less.
func TestPools(t *testing.T) {
	for name, want := range map[string]int64{"tvm_mobilenet": 1117462, "tvm_resnet": 7200256} {
		p := readInstance(t, "pools/"+name+".csv")
		memories := []Memory{{"fast", 200704, 0}, {"slow", 1 << 40, 0}}
		x, err := SolveMemories(context.Background(), p, memories, make([]Choice, len(p.Buffers)), Options{NodeLimit: 100_000})
		if err != nil {
			t.Fatal(err)
		}
		if err := checkMemories(p, memories, make([]Choice, len(p.Buffers)), x); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: peaks %d, bound %d", name, x.Peaks, x.LastBound)
		if x.Peaks[1] > want {
			t.Errorf("%s needs %d, want %d", name, x.Peaks[1], want)
		}
	}
}

func TestMemoryErrors(t *testing.T) {
	live := []Interval{{0, 4}}
	two := []Memory{{"a", 10, 0}, {"b", 20, 1}}
	tests := []struct {
		buffers []Buffer
		choices []Choice
		want    string
	}{
		{[]Buffer{{Size: 21, Live: live}}, []Choice{{}}, "buffer 0 is larger than each memory that it may be in"},
		{[]Buffer{{Size: 11, Live: live}}, []Choice{{Allowed: []int{0}}}, "buffer 0 is larger than each memory that it may be in"},
		{[]Buffer{{Size: 16, Live: live}, {Size: 15, Live: live}}, []Choice{{}, {}}, "what is alive at time 0 needs 31, and all memories have 30"},
		{[]Buffer{{Size: 10, Live: live}, {Size: 10, Live: live}, {Size: 11, Live: live}}, []Choice{{}, {}, {}}, "what is alive at time 0 needs 31, and all memories have 30"},
		{[]Buffer{{Size: 16, Live: live}, {Size: 12, Live: live}}, []Choice{{}, {}}, "no plan within the capacities of the memories was found"},
		{[]Buffer{{Size: 1, Live: live, Pinned: true}}, []Choice{{}}, "buffer 0: it is pinned, but not said to which memory"},
		{[]Buffer{{Size: 1}}, []Choice{{Allowed: []int{2}}}, "buffer 0: there is no memory 2"},
		{[]Buffer{{Size: 1}}, []Choice{{Uses: -1}}, "buffer 0: the number of uses -1 is below zero"},
		{[]Buffer{{Size: 4}}, []Choice{{Uses: math.MaxInt64 / 2}}, "buffer 0: what its uses cost is out of range"},
		{[]Buffer{{Size: 1}, {Size: 1}}, []Choice{{Group: 1}, {Group: 1, Allowed: []int{1}}}, "buffer 1: it may not be in the same memories as others of its group"},
		{[]Buffer{{Size: 4}}, nil, "2 memories, and 0 choices for 1 buffers"},
	}
	for _, x := range tests {
		_, err := SolveMemories(context.Background(), &Problem{Buffers: x.buffers}, two, x.choices, Options{NodeLimit: 1000})
		if err == nil || err.Error() != x.want {
			t.Errorf("%v, want %s", err, x.want)
		}
	}
}

// VerifyMemories finds what is wrong with a plan.
func TestVerifyMemories(t *testing.T) {
	memories := []Memory{{"fast", 10, 0}, {"slow", 20, 2}}
	p := &Problem{Buffers: []Buffer{{ID: "a", Size: 8, Live: []Interval{{0, 3}}}, {ID: "b", Size: 7, Live: []Interval{{1, 4}}}, {ID: "c", Size: 5, Live: []Interval{{2, 4}}}}}
	choices := []Choice{{Uses: 1, Group: 1}, {Uses: 2}, {Uses: 1, Allowed: []int{1}}}
	tests := []struct {
		change func(x *MemoryPlan)
		want   string
	}{
		{func(*MemoryPlan) {}, "<nil>"},
		{func(x *MemoryPlan) { x.Memory[2] = 0 }, `buffer "c": it may not be in memory 0`},
		{func(x *MemoryPlan) { x.Offsets[2] = 6 }, `buffer "b" and buffer "c" overlap in memory "slow", and are both alive at time 2`},
		{func(x *MemoryPlan) { x.Offsets[0] = 3 }, `buffer "a": in memory "fast", it ends at 11, above the capacity 10`},
		{func(x *MemoryPlan) { x.Peaks[1] = 11 }, `memory "slow": the peak is 12, not 11`},
		{func(x *MemoryPlan) { x.Cost = 1 }, "the cost is 38, not 1"},
		{func(x *MemoryPlan) { x.Peaks = nil }, "3 places in memories, 3 offsets and 0 peaks, for 3 buffers and 2 memories"},
	}
	for _, tt := range tests {
		x := &MemoryPlan{Memory: []int{0, 1, 1}, Offsets: []int64{0, 0, 7}, Peaks: []int64{8, 12}, Cost: 38}
		tt.change(x)
		if err := VerifyMemories(p, memories, choices, x); fmt.Sprint(err) != tt.want {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
	x := &MemoryPlan{Memory: []int{0, 1, 1}, Offsets: []int64{0, 0, 7}, Peaks: []int64{8, 12}, Cost: 38}
	choices[1].Group = 1
	if err := VerifyMemories(p, memories, choices, x); fmt.Sprint(err) != `buffer "b": it isn't in the memory of others of its group` {
		t.Error(err)
	}
}

// A file says in which memories buffers may be, and gets those where they are.
func TestTableMemories(t *testing.T) {
	memories := []Memory{{"fast", 10, 0}, {"slow", 20, 2}}
	table, err := ReadCSV(strings.NewReader("id,lower,upper,size,memory,uses\na,0,3,8,,3\nb,1,4,7,fast slow,\nc,2,4,5,slow,1\n"), "f.csv")
	if err != nil {
		t.Fatal(err)
	}
	choices, err := table.Choices(memories)
	if err != nil || fmt.Sprint(choices) != "[{[] 3 0} {[0 1] 1 0} {[1] 1 0}]" {
		t.Fatal(choices, err)
	}
	x, err := SolveMemories(context.Background(), &table.Problem, memories, choices, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := table.WriteMemories(&out, memories, x); err != nil {
		t.Fatal(err)
	}
	again, err := ReadCSV(&out, "g.csv")
	if err != nil {
		t.Fatal(err)
	}
	if choices, err = again.Choices(memories); err != nil {
		t.Fatal(err)
	}
	read, err := again.MemoryPlan(memories, choices)
	if err != nil || fmt.Sprint(read.Memory, read.Offsets, read.Peaks, read.Cost) != fmt.Sprint(x.Memory, x.Offsets, x.Peaks, x.Cost) {
		t.Fatalf("%+v, want %+v (%v)", read, x, err)
	}
	for _, tt := range []struct{ src, want string }{
		{"id,lower,upper,size,memory\na,0,3,8,dram\n", `f.csv:2: error: buffer "a" may be in the memory "dram", which isn't given`},
		{"id,lower,upper,size,uses\na,0,3,8,x\n", `f.csv:2: error: the uses "x" is no whole number`},
		{"id,lower,upper,size,offset\na,0,3,8,0\n", `f.csv:2: error: it isn't said in which memory buffer "a" is`},
		{"id,lower,upper,size\na,0,3,8\n", `f.csv:1: error: there is no column "offset"`},
	} {
		table, err := ReadCSV(strings.NewReader(tt.src), "f.csv")
		if err != nil {
			t.Fatal(err)
		}
		choices, err := table.Choices(memories)
		if err == nil {
			_, err = table.MemoryPlan(memories, choices)
		}
		if err == nil || err.Error() != tt.want {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
}
