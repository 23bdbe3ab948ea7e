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

// PlanArena computes what TensorFlow Lite Micro's greedy planner does (greedy_memory_planner.cc and micro_allocation_info.cc of
// tflite-micro): tensors by falling sizes, each at the lowest place where nothing that is needed at the same time is. It takes quadratic time in the
// number of tensors.
func (m *Model) PlanArena() *Arena {
	l := &lifetimes{model: m, first: make([][]int, len(m.Subgraphs)), last: make([][]int, len(m.Subgraphs)), inside: make([]bool, len(m.Subgraphs))}
	for i, g := range m.Subgraphs {
		l.first[i], l.last[i] = filled(len(g.Tensors)), filled(len(g.Tensors))
	}
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

// AtPeak returns the tensors that are needed at the time when most bytes are, by falling sizes.
func (a *Arena) AtPeak() []Placed {
	var best []Placed
	most := int64(0)
	for _, t := range a.Tensors {
		var alive []Placed
		sum := int64(0)
		for _, o := range a.Tensors {
			if o.First <= t.First && t.First <= o.Last {
				alive, sum = append(alive, o), sum+o.Size
			}
		}
		if sum > most {
			best, most = alive, sum
		}
	}
	slices.SortStableFunc(best, func(x, y Placed) int { return cmp.Compare(y.Size, x.Size) })
	return best
}

// lifetimes finds when tensors are needed.
type lifetimes struct {
	model       *Model
	time        int
	first, last [][]int
	// inside says that a subgraph is being looked at: what calls itself isn't followed further.
	inside []bool
}

func (l *lifetimes) mark(subgraph int) {
	if subgraph < 0 || subgraph >= len(l.inside) || l.inside[subgraph] {
		return
	}
	l.inside[subgraph] = true
	defer func() { l.inside[subgraph] = false }()
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
	for _, o := range g.Operators {
		l.time++
		create(o.Outputs)
		for _, callee := range o.Subgraphs() {
			l.time++
			l.mark(callee)
		}
		use(o.Inputs)
		use(o.Outputs)
	}
	use(g.Outputs)
}
