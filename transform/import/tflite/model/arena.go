package model

import (
	"cmp"
	"slices"
)

// Arena is where TensorFlow Lite Micro's planner puts the tensors of a model that operators make, and inputs and outputs. It doesn't
// count what kernels ask for in addition, variables, and what the interpreter itself keeps.
type Arena struct {
	// Size is how many bytes the tensors need.
	Size    int64
	Tensors []Placed
	// Variables is the size of the tensors that keep their contents between executions, which are apart.
	Variables int64
}

// Placed is a tensor in an arena.
type Placed struct {
	Subgraph, Tensor int
	// Size is that of the tensor, rounded up to the alignment, and Offset where it starts.
	Size, Offset int64
	// First and Last are the times between which it is needed, those included: an operator takes one, and so does the start of a subgraph.
	First, Last int
}

// arenaAlignment is the alignment of tensors in TensorFlow Lite Micro's arena.
const arenaAlignment = 16

// MaxPlanned is how many tensors an arena is planned for. No model for a microcontroller has as many, and a file could have millions.
const MaxPlanned = 1 << 14

// PlanArena computes what TensorFlow Lite Micro's greedy planner does (greedy_memory_planner.cc and micro_allocation_info.cc of
// tflite-micro): tensors by falling sizes, each at the lowest place where nothing that is needed at the same time is. It takes quadratic time in the
// number of tensors, and returns nil if there are more than [MaxPlanned].
func (m *Model) PlanArena() *Arena {
	l := &lifetimes{model: m, first: make([][]int, len(m.Subgraphs)), last: make([][]int, len(m.Subgraphs)), calls: make([]call, len(m.Subgraphs))}
	for i, g := range m.Subgraphs {
		l.first[i], l.last[i] = filled(len(g.Tensors)), filled(len(g.Tensors))
	}
	l.calls[0].known = true
	l.findCalls(0)
	l.mark(0)
	a := &Arena{}
	for i, g := range m.Subgraphs {
		for k, t := range g.Tensors {
			size := t.Type.Size()
			for _, n := range t.Shape {
				size *= n
			}
			size = (size + arenaAlignment - 1) / arenaAlignment * arenaAlignment
			switch {
			case t.Data != nil || size == 0:
			case t.Variable:
				a.Variables += size
			default:
				a.Tensors = append(a.Tensors, Placed{Subgraph: i, Tensor: k, Size: size, First: l.first[i][k], Last: l.last[i][k]})
			}
		}
	}
	if len(a.Tensors) > MaxPlanned {
		return nil
	}
	a.place()
	return a
}

func filled(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = -1
	}
	return out
}

// place computes the offsets.
func (a *Arena) place() {
	// Of tensors of one size the last one comes first.
	order := make([]int, len(a.Tensors))
	for i := range order {
		order[i] = len(order) - 1 - i
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(a.Tensors[k].Size, a.Tensors[i].Size) })
	var placed []int // by offsets
	for _, i := range order {
		t := &a.Tensors[i]
		for _, k := range placed {
			o := &a.Tensors[k]
			if o.First > t.Last || t.First > o.Last {
				continue
			}
			if o.Offset-t.Offset >= t.Size {
				break
			}
			t.Offset = max(t.Offset, o.Offset+o.Size)
		}
		at := len(placed)
		for at > 0 && a.Tensors[placed[at-1]].Offset > t.Offset {
			at--
		}
		placed = slices.Insert(placed, at, i)
		a.Size = max(a.Size, t.Offset+t.Size)
	}
}

// AtPeak returns the tensors that are needed at the first time when most bytes are, by falling sizes.
func (a *Arena) AtPeak() []Placed {
	// What a tensor adds to the sum when it begins to be needed, and takes away behind its end.
	type change struct {
		time  int
		bytes int64
	}
	var changes []change
	for _, t := range a.Tensors {
		changes = append(changes, change{t.First, t.Size}, change{t.Last + 1, -t.Size})
	}
	slices.SortFunc(changes, func(x, y change) int { return cmp.Or(cmp.Compare(x.time, y.time), cmp.Compare(x.bytes, y.bytes)) })
	sum, most, at := int64(0), int64(0), 0
	for _, c := range changes {
		if sum += c.bytes; sum > most {
			most, at = sum, c.time
		}
	}
	var best []Placed
	for _, t := range a.Tensors {
		if t.First <= at && at <= t.Last {
			best = append(best, t)
		}
	}
	slices.SortStableFunc(best, func(x, y Placed) int { return cmp.Compare(y.Size, x.Size) })
	return best
}

// lifetimes finds when tensors are needed. The planner looks at a subgraph anew for each operator that calls it, and the last time stays: so each
// is looked at only once, where it is called last. What calls itself isn't followed further.
type lifetimes struct {
	model       *Model
	time        int
	first, last [][]int
	// calls are the last calls of the subgraphs.
	calls []call
}

// call is a place at which a subgraph is called.
type call struct {
	known                      bool
	subgraph, operator, number int
}

// findCalls finds the last calls of all that a subgraph calls, from its end to its start.
func (l *lifetimes) findCalls(subgraph int) {
	for i, o := range slices.Backward(l.model.Subgraphs[subgraph].Operators) {
		for n, callee := range slices.Backward(o.Subgraphs()) {
			if callee >= 0 && callee < len(l.calls) && !l.calls[callee].known {
				l.calls[callee] = call{true, subgraph, i, n}
				l.findCalls(callee)
			}
		}
	}
}

func (l *lifetimes) mark(subgraph int) {
	g, first, last := l.model.Subgraphs[subgraph], l.first[subgraph], l.last[subgraph]
	create := func(tensors []int) {
		for _, t := range tensors {
			first[t], last[t] = l.time, l.time
		}
	}
	use := func(tensors []int) {
		for _, t := range tensors {
			if t >= 0 {
				last[t] = l.time
			}
		}
	}
	create(g.Inputs)
	create(g.Outputs)
	for i, o := range g.Operators {
		l.time++
		create(o.Outputs)
		for n, callee := range o.Subgraphs() {
			l.time++
			if callee > 0 && callee < len(l.calls) && l.calls[callee] == (call{true, subgraph, i, n}) {
				l.mark(callee)
			}
		}
		use(o.Inputs)
		use(o.Outputs)
	}
	use(g.Outputs)
}
