package footprint

import (
	"cmp"
	"slices"

	"freehold/ir"
	"freehold/ir/analysis"
)

// call is an operation that calls a function with a peak.
type call struct {
	op     *ir.Op
	callee *Function
	// peak is what it needs while it is active, left what it leaves behind.
	peak, left Size
}

// item is something that counts as long as it is alive: a buffer, a tensor, a value that may
// be one of several buffers, or what a call needs.
type item struct {
	Item
	spans []analysis.Span
	// cluster is the number of the cluster that a value belongs to that may be one of
	// several buffers, plus one, or 0; buffers of a cluster have one as well, and are joined.
	cluster int
	joined  bool // it counts only by clusters
}

// timeline finds the peak of a function.
type timeline struct {
	f       *Function
	calls   []call
	tensors int
	items   []item
	// again tells, for the sets of buffers and values that may be them, whether one of the
	// buffers may be there more than once at a time.
	again []bool
}

func newTimeline(f *Function, alive *analysis.Alive, tensors []analysis.Lifetime, copies []analysis.TensorCopy) *timeline {
	t := &timeline{f: f}
	sizes := make([]Size, len(alive.Buffers))
	for i := range alive.Buffers {
		sizes[i], _ = f.sizeOf(alive.Buffers[i].Value)
	}
	clusters := t.cluster(alive)
	for i := range alive.Buffers {
		b := &alive.Buffers[i]
		sizes[i] = f.symbols.times(sizes[i], b.Value.DefiningOp(), b.Rounds)
		if b.Leaked {
			f.left = f.left.Plus(sizes[i])
		}
		x := item{Item{Size: sizes[i], Value: b.Value, Op: b.Value.DefiningOp(), Leaked: b.Leaked, Freed: b.Freed}, b.Spans, clusters[i], clusters[i] > 0}
		t.items = append(t.items, x)
		if b.Overlaps && clusters[i] == 0 && !b.Rounds.Any() {
			// The one that was made before may be there still.
			t.items = append(t.items, x)
		}
	}
	largest := analysis.Held(alive, func(j int) largestOf {
		if clusters[j] == 0 {
			return largestOf{last: -1}
		}
		return largestOf{sizes[j], j}
	}, largestOf.join)
	for i := range alive.Holders {
		h := &alive.Holders[i]
		x := largest[i]
		if x.last < 0 {
			continue
		}
		op := h.Value.DefiningOp()
		if h.Value.IsBlockArg() {
			op = alive.Buffers[x.last].Value.DefiningOp()
		}
		t.items = append(t.items, item{Item{Size: x.size, Value: h.Value, Op: op}, h.Spans, clusters[x.last], false})
	}
	for i := range tensors {
		x := &tensors[i]
		if s, ok := f.sizeOf(x.Value); ok {
			t.tensors++
			t.items = append(t.items, item{Item: Item{Size: s, Value: x.Value, Op: x.Value.DefiningOp()}, spans: x.Spans})
		}
	}
	for i := range copies {
		x := &copies[i]
		if s, ok := f.sizeOf(x.From); ok {
			t.items = append(t.items, item{Item: Item{Size: s, Value: x.From, Op: x.By, Copy: true}, spans: x.Spans})
		}
	}
	return t
}

// largestOf is the largest size of some buffers, and the last of those that it is the size of, or if there is none
// another one; -1 if there are no buffers.
type largestOf struct {
	size Size
	last int
}

func (x largestOf) join(y largestOf) largestOf {
	if x.last > y.last {
		x, y = y, x
	}
	switch size := x.size.Max(y.size); {
	case y.size.AtLeast(size):
		return y
	case x.size.AtLeast(size):
		return x
	default:
		return largestOf{size, x.last}
	}
}

// cluster puts the buffers that a value may be into the same set, if it may be several, or one
// that is made again while it holds one; it returns the numbers of the sets, from 1, by buffer.
// A buffer that is alive though no value holds it is in none; nor are those that may be held in its place, unless one of these
// is made again: there may be many of it then, but no more than there are values.
func (t *timeline) cluster(alive *analysis.Alive) []int {
	n := len(alive.Buffers)
	parent := make([]int, n)
	for i := range parent {
		parent[i] = i
	}
	var find func(i int) int
	find = func(i int) int {
		if parent[i] != i {
			parent[i] = find(parent[i])
		}
		return parent[i]
	}
	out := make([]int, n)
	unheld := func(i int) bool {
		b := &alive.Buffers[i]
		return b.Leaked || b.Automatic
	}
	one := analysis.Held(alive, func(j int) buffersOf { return buffersOf{j, false} }, buffersOf.join)
	for i, held := range one {
		for _, s := range alive.Holders[i].Sources {
			parent[find(one[s].first)] = find(held.first)
		}
		if b := alive.Holders[i].Buffer; b >= 0 {
			parent[find(b)] = find(held.first)
		}
	}
	joined := analysis.Holding(alive, func(i int) bool { return one[i].several }, func(x, y bool) bool { return x || y })
	for i := range joined {
		joined[i] = joined[i] || alive.Buffers[i].Overlaps
	}
	lost, again := map[int]bool{}, map[int]bool{}
	for i := range n {
		r := find(i)
		lost[r] = lost[r] || unheld(i)
		again[r] = again[r] || alive.Buffers[i].Overlaps && !unheld(i)
	}
	numbers := map[int]int{}
	for i := range n {
		r := find(i)
		if !joined[i] || lost[r] && (unheld(i) || !again[r]) {
			continue
		}
		if numbers[r] == 0 {
			numbers[r] = len(numbers) + 1
		}
		out[i] = numbers[r]
	}
	t.again = make([]bool, len(numbers))
	for i, c := range out {
		if c > 0 && alive.Buffers[i].Overlaps {
			t.again[c-1] = true
		}
	}
	return out
}

// buffersOf tells which buffers a holder may be: the first, and whether there are others.
type buffersOf struct {
	first   int
	several bool
}

func (x buffersOf) join(y buffersOf) buffersOf {
	return buffersOf{min(x.first, y.first), x.several || y.several || x.first != y.first}
}

// event is an item becoming alive, or no longer being so.
type event struct {
	time  int64
	item  int
	start bool
}

// find finds the peaks of the function.
func (t *timeline) find() {
	for _, c := range t.calls {
		begin, _ := t.f.lifetimes.Of(c.op)
		t.items = append(t.items, item{Item: Item{Size: c.peak, Op: c.op, Callee: c.callee.Name}, spans: []analysis.Span{{Lower: begin, Upper: begin + 1}}})
		if left := t.f.symbols.times(c.left, c.op, t.f.lifetimes.Rounds(c.op, false)); !left.isZero() {
			t.f.left = t.f.left.Plus(left)
			t.items = append(t.items, item{Item: Item{Size: left, Op: c.op, Callee: c.callee.Name, Leaked: true}, spans: t.f.lifetimes.After(c.op)})
		}
	}
	var events []event
	static := true
	for i := range t.items {
		x := &t.items[i]
		static = static && x.Size.IsStatic()
		for _, s := range x.spans {
			events = append(events, event{s.Lower, i, true}, event{s.Upper, i, false})
		}
	}
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.time, b.time) })
	if static {
		t.staticPeak(events)
	} else {
		t.symbolicPeaks(events)
	}
}

// staticPeak finds the peak if all sizes are known: the largest sum of what is alive, as [timeline.at] says it.
func (t *timeline) staticPeak(events []event) {
	buffers, values := make([]int64, len(t.again)), make([]int64, len(t.again))
	counted := func(c int) int64 {
		if !t.again[c] {
			return min(buffers[c], values[c])
		}
		return values[c]
	}
	best := Peak{Op: t.f.Op}
	var sum int64
	for i := 0; i < len(events); {
		time := events[i].time
		for ; i < len(events) && events[i].time == time; i++ {
			e := events[i]
			x := &t.items[e.item]
			if x.cluster == 0 {
				change(&sum, x.Size.Bytes, e.start)
				continue
			}
			c := x.cluster - 1
			sum -= counted(c)
			if x.joined {
				change(&buffers[c], x.Size.Bytes, e.start)
			} else {
				change(&values[c], x.Size.Bytes, e.start)
			}
			sum = plus(sum, counted(c))
		}
		if sum > best.Size.Bytes {
			best = Peak{bytes(sum), time, t.f.lifetimes.At(time)}
		}
	}
	t.f.Peaks = []Peak{best}
}

// change adds a size to a sum, or takes it away.
func change(sum *int64, size int64, add bool) {
	if add {
		*sum = plus(*sum, size)
	} else {
		*sum -= size
	}
}

// mostPeaks limits the number of peaks of which none is above another.
const mostPeaks = 8

// symbolicPeaks finds the peaks if there are unknown sizes.
func (t *timeline) symbolicPeaks(events []event) {
	var last int64 = -1
	for _, e := range events {
		if !e.start || e.time == last {
			continue
		}
		last = e.time
		_, s := t.at(e.time)
		t.f.addPeak(Peak{s, e.time, t.f.lifetimes.At(e.time)})
	}
	if len(t.f.Peaks) == 0 {
		t.f.Peaks = []Peak{{Op: t.f.Op}}
	}
}

// addPeak keeps a peak that no other is above, and none of those that it is above. Of too
// many, the last becomes one that none of the others is above.
func (f *Function) addPeak(p Peak) {
	for _, x := range f.Peaks {
		if x.Size.AtLeast(p.Size) {
			return
		}
	}
	f.Peaks = slices.DeleteFunc(f.Peaks, func(x Peak) bool { return p.Size.AtLeast(x.Size) })
	if n := len(f.Peaks); n >= mostPeaks {
		f.Peaks[n-1].Size = f.Peaks[n-1].Size.Max(p.Size)
		return
	}
	f.Peaks = append(f.Peaks, p)
}

// at returns what is alive at a time, and its size: of a set either the buffers, or, if that
// is less, the values that may be them.
func (t *timeline) at(time int64) (items []Item, sum Size) {
	buffers, values := make([]Size, len(t.again)), make([]Size, len(t.again))
	var list []*item
	for i := range t.items {
		x := &t.items[i]
		if !analysis.SpansHave(x.spans, time) {
			continue
		}
		switch {
		case x.cluster == 0:
			sum = sum.Plus(x.Size)
			items = append(items, x.Item)
			continue
		case x.joined:
			buffers[x.cluster-1] = buffers[x.cluster-1].Plus(x.Size)
		default:
			values[x.cluster-1] = values[x.cluster-1].Plus(x.Size)
		}
		list = append(list, x)
	}
	byBuffers := make([]bool, len(t.again))
	for c := range t.again {
		if byBuffers[c] = !t.again[c] && values[c].AtLeast(buffers[c]); byBuffers[c] {
			sum = sum.Plus(buffers[c])
		} else {
			sum = sum.Plus(values[c])
		}
	}
	for _, x := range list {
		if byBuffers[x.cluster-1] == x.joined {
			items = append(items, x.Item)
		}
	}
	return items, sum
}

// Living is something that is alive from a time up to another one.
type Living struct {
	Item
	From, To int64
}

// Timeline returns what is alive when, in the order in which it becomes alive. Of buffers that
// paths join, it has the values that may be them. Near-linear.
func (f *Function) Timeline() (out []Living) {
	for i := range f.timeline.items {
		x := &f.timeline.items[i]
		if x.joined {
			continue
		}
		for _, s := range x.spans {
			out = append(out, Living{x.Item, s.Lower, s.Upper})
		}
	}
	slices.SortStableFunc(out, func(a, b Living) int { return cmp.Compare(a.From, b.From) })
	return out
}
