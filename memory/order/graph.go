package order

import (
	"fmt"
	"math"
	"slices"
)

// Step is something to do.
type Step struct {
	// After are the steps that must come before, by their places. The makers of the buffers that it uses need not be among them.
	After []int
	// Extra is what it needs beside buffers while it is done.
	Extra int64
	// InPlace are pairs of buffers: the first one, which the step makes, may lie where the second one is, if that dies here. A buffer
	// that is made may lie over several that die, as far as its size goes; earlier pairs are preferred. Pairs of the same first buffer
	// stand together, and at most 64 count.
	InPlace [][2]int
}

// Buffer is memory from the step that makes it to the last one that uses it.
type Buffer struct {
	Size int64
	// Maker is the place of the step that makes it, or -1 if it is there from the start.
	Maker int
	// Users are the places of the steps that use it.
	Users []int
	// Kept tells that it is needed at the end as well.
	Kept bool
}

// Graph says what is to be done.
type Graph struct {
	Steps   []Step
	Buffers []Buffer
}

// Validate says what is wrong with a graph: places that there aren't, sizes below zero or too large to add up, and steps that wait for each
// other. Near-linear.
func (g *Graph) Validate() error {
	_, err := g.valid()
	return err
}

// valid is Validate, and returns what the graph says.
func (g *Graph) valid() (*links, error) {
	sum, err := g.checkBuffers()
	if err != nil {
		return nil, err
	}
	for i, s := range g.Steps {
		if s.Extra < 0 || s.Extra > math.MaxInt64-sum {
			return nil, fmt.Errorf("step %d needs %d more, which is below zero or too large to add up", i, s.Extra)
		}
		for _, p := range s.After {
			if p < 0 || p >= len(g.Steps) {
				return nil, fmt.Errorf("step %d comes after step %d of %d", i, p, len(g.Steps))
			}
		}
		for _, p := range s.InPlace {
			if min(p[0], p[1]) < 0 || max(p[0], p[1]) >= len(g.Buffers) || g.Buffers[p[0]].Maker != i || g.Buffers[p[1]].Maker == i {
				return nil, fmt.Errorf("step %d can't make buffer %d where buffer %d is", i, p[0], p[1])
			}
		}
	}
	l := newLinks(g)
	if len(l.topological()) != len(g.Steps) {
		return nil, fmt.Errorf("steps wait for each other")
	}
	return l, nil
}

// checkBuffers checks the buffers, and returns the sum of their sizes.
func (g *Graph) checkBuffers() (sum int64, err error) {
	for i, b := range g.Buffers {
		if b.Size < 0 || b.Size > math.MaxInt64-sum {
			return 0, fmt.Errorf("buffer %d has size %d, which is below zero or too large to add up", i, b.Size)
		}
		sum += b.Size
		if b.Maker < -1 || b.Maker >= len(g.Steps) {
			return 0, fmt.Errorf("buffer %d is made by step %d of %d", i, b.Maker, len(g.Steps))
		}
		for _, u := range b.Users {
			if u < 0 || u >= len(g.Steps) {
				return 0, fmt.Errorf("buffer %d is used by step %d of %d", i, u, len(g.Steps))
			}
		}
	}
	return sum, nil
}

// links is what a graph says, by step.
type links struct {
	before, after [][]int32
	// made are the buffers with a size that a step makes, touched these and those that it uses.
	made, touched [][]int32
	// by are the steps that touch a buffer with a size.
	by [][]int32
}

func newLinks(g *Graph) *links {
	n := len(g.Steps)
	l := &links{before: make([][]int32, n), after: make([][]int32, n), made: make([][]int32, n), touched: make([][]int32, n), by: make([][]int32, len(g.Buffers))}
	for i, s := range g.Steps {
		for _, p := range s.After {
			l.before[i] = append(l.before[i], int32(p))
		}
	}
	for k, b := range g.Buffers {
		var by []int32
		if b.Maker >= 0 {
			by = append(by, int32(b.Maker))
		}
		for _, u := range b.Users {
			by = append(by, int32(u))
			if b.Maker >= 0 && u != b.Maker {
				l.before[u] = append(l.before[u], int32(b.Maker))
			}
		}
		if b.Size == 0 {
			continue // it is there for the dependences alone
		}
		if b.Maker >= 0 {
			l.made[b.Maker] = append(l.made[b.Maker], int32(k))
		}
		l.by[k] = sortedSet(by)
		for _, i := range l.by[k] {
			l.touched[i] = append(l.touched[i], int32(k))
		}
	}
	for i := range l.before {
		l.before[i] = sortedSet(l.before[i])
		for _, p := range l.before[i] {
			l.after[p] = append(l.after[p], int32(i))
		}
	}
	return l
}

func sortedSet(list []int32) []int32 {
	slices.Sort(list)
	return slices.Compact(list)
}

// topological returns the steps, the first that can be done first; not all if they wait for each other.
func (l *links) topological() (out []int32) {
	waiting := make([]int, len(l.before))
	for i, b := range l.before {
		if waiting[i] = len(b); len(b) == 0 {
			out = append(out, int32(i))
		}
	}
	for k := 0; k < len(out); k++ {
		for _, s := range l.after[out[k]] {
			if waiting[s]--; waiting[s] == 0 {
				out = append(out, s)
			}
		}
	}
	return out
}

// Peak returns what is alive at a time at most if the steps are done in an order. It fails if the order leaves a step out, has one twice, or
// one before what it must come after. Near-linear in the graph, which must be valid.
func (g *Graph) Peak(order []int) (int64, error) {
	return newLinks(g).peak(g, order)
}

// peak is [Graph.Peak] of the graph that the links are of.
func (l *links) peak(g *Graph, order []int) (int64, error) {
	profile, err := l.profile(g, order)
	if err != nil || len(profile) == 0 {
		return 0, err
	}
	return slices.Max(profile), nil
}

// Profile returns what is alive at each step of an order. It fails as [Graph.Peak] does.
func (g *Graph) Profile(order []int) ([]int64, error) { return newLinks(g).profile(g, order) }

// profile is [Graph.Profile] of the graph that the links are of.
func (l *links) profile(g *Graph, order []int) ([]int64, error) {
	if err := l.check(order); err != nil {
		return nil, err
	}
	left := make([]int, len(g.Buffers))
	var live int64
	for k, b := range g.Buffers {
		if left[k] = len(l.by[k]); b.Maker < 0 && (left[k] > 0 || b.Kept) {
			live += b.Size
		}
	}
	out := make([]int64, len(order))
	dies := func(b int) bool { return left[b] == 0 && !g.Buffers[b].Kept }
	for i, s := range order {
		for _, b := range l.made[s] {
			live += g.Buffers[b].Size
		}
		for _, b := range l.touched[s] {
			left[b]--
		}
		out[i] = live + g.Steps[s].Extra - overlaid(g.Steps[s].InPlace, g.size, dies)
		for _, b := range l.touched[s] {
			if dies(int(b)) {
				live -= g.Buffers[b].Size
			}
		}
	}
	return out, nil
}

// check checks that an order is one of all steps.
func (l *links) check(order []int) error {
	if len(order) != len(l.before) {
		return fmt.Errorf("the order has %d of %d steps", len(order), len(l.before))
	}
	done := make([]bool, len(order))
	for i, s := range order {
		if s < 0 || s >= len(done) || done[s] {
			return fmt.Errorf("what is at place %d of the order is no step, or one that was before", i)
		}
		for _, p := range l.before[s] {
			if !done[p] {
				return fmt.Errorf("step %d comes before step %d, which it needs", s, p)
			}
		}
		done[s] = true
	}
	return nil
}

func (g *Graph) size(b int) int64 { return g.Buffers[b].Size }

// overlaid returns how much of what a step makes lies where something dies. It doesn't fall if more dies.
func overlaid(pairs [][2]int, size func(b int) int64, dies func(b int) bool) (saved int64) {
	var taken uint64
	var room int64
	for i, p := range pairs[:min(len(pairs), 64)] {
		if i == 0 || pairs[i-1][0] != p[0] {
			room = size(p[0])
		}
		if room == 0 || !dies(p[1]) {
			continue
		}
		again := false
		for j := range i {
			again = again || taken>>j&1 == 1 && pairs[j][1] == p[1]
		}
		if again {
			continue
		}
		n := min(room, size(p[1]))
		taken, room, saved = taken|1<<i, room-n, saved+n
	}
	return saved
}
