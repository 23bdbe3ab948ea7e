package plan

import "math"

// noScore is the score of a point at which nothing is to be decided.
const noScore = math.MaxFloat32

// hash128 is a fingerprint. Those of two states of a search are taken to be different if
// the states are; with numbers of 128 bits, nothing else will ever be seen.
type hash128 struct{ a, b uint64 }

func (h hash128) xor(g hash128) hash128 { return hash128{h.a ^ g.a, h.b ^ g.b} }

// hashFloor returns the fingerprint of a point having a floor.
func hashFloor(point int32, floor int64) hash128 {
	x := mix(uint64(floor) + uint64(point)*0x9e3779b97f4a7c15)
	return hash128{x, mix(x ^ uint64(floor)*0xc2b2ae3d27d4eb4f)}
}

// scoreTree is a tree over the points that has the smallest score of a range, and its
// state, both in log n.
type scoreTree struct {
	n     int
	nodes []scoreNode
}

type scoreNode struct {
	state hash128
	score float32
	point int32
}

func newScoreTree(n int) *scoreTree {
	t := &scoreTree{n, make([]scoreNode, 2*n)}
	for p := range t.nodes[n:] {
		t.nodes[n+p] = scoreNode{score: noScore, point: int32(p)}
	}
	return t
}

// set changes a point; [scoreTree.update] has to follow.
func (t *scoreTree) set(p int32, score float32, state hash128) {
	t.nodes[t.n+int(p)] = scoreNode{state, score, p}
}

// update computes what depends on a range of points.
func (t *scoreTree) update(lo, hi int32) {
	if lo >= hi {
		return
	}
	for l, r := (int(lo)+t.n)/2, (int(hi)-1+t.n)/2; l > 0; l, r = l/2, r/2 {
		for k := l; k <= r; k++ {
			t.nodes[k] = t.nodes[2*k].join(t.nodes[2*k+1])
		}
	}
}

func (x scoreNode) join(y scoreNode) scoreNode {
	state := x.state.xor(y.state)
	if y.score < x.score || y.score == x.score && y.point < x.point {
		x = y
	}
	x.state = state
	return x
}

// best returns the point of the smallest score in a range, and the state of the range.
func (t *scoreTree) best(lo, hi int32) scoreNode {
	out := scoreNode{score: noScore, point: math.MaxInt32}
	for l, r := int(lo)+t.n, int(hi)+t.n; l < r; l, r = l/2, r/2 {
		if l%2 == 1 {
			out = out.join(t.nodes[l])
			l++
		}
		if r%2 == 1 {
			r--
			out = out.join(t.nodes[r])
		}
	}
	return out
}

// failedSet is a set of states without a plan. It forgets some when it is full.
type failedSet struct {
	slots []hash128
	n     int
}

// maxFailed is the number of states that a set remembers at most, a power of two.
const maxFailed = 1 << 20

// slot returns where a state is, or would be.
func (f *failedSet) slot(h hash128) int {
	mask := len(f.slots) - 1
	at := int(h.a) & mask
	for k := range 8 {
		if x := f.slots[(at+k)&mask]; x == h || x == (hash128{}) {
			return (at + k) & mask
		}
	}
	return at
}

func (f *failedSet) has(h hash128) bool { return f.n > 0 && f.slots[f.slot(h)] == h }

func (f *failedSet) add(h hash128) {
	if f.n >= len(f.slots)/2 && len(f.slots) < maxFailed {
		old := f.slots
		f.slots, f.n = make([]hash128, max(1024, 4*len(old))), 0
		for _, x := range old {
			if x != (hash128{}) {
				f.add(x)
			}
		}
	}
	k := f.slot(h)
	if f.slots[k] == (hash128{}) {
		f.n++
	}
	f.slots[k] = h
}
