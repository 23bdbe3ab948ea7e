package pass

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"freehold/ir"
)

// Analysis is what passes may want to know about an operation and everything in it. What
// is known is kept from one pass to the next until a pass changes the operation,
// something in it or around it: see [Context.Unchanged], [Context.Preserves] and
// [Decl.Uses]. An Analysis itself is never changed.
type Analysis[T any] struct {
	name  string
	build func(op *ir.Op) T
}

// NewAnalysis returns an analysis that build carries out. build must not look at anything
// outside of the operation.
func NewAnalysis[T any](name string, build func(op *ir.Op) T) *Analysis[T] {
	return &Analysis[T]{name, build}
}

// AnyAnalysis is an [Analysis] of any type.
type AnyAnalysis interface {
	String() string
	of(op *ir.Op) any
}

func (a *Analysis[T]) of(op *ir.Op) any { return a.build(op) }

// String returns the name of the analysis.
func (a *Analysis[T]) String() string { return a.name }

// Of returns the analysis of an operation: the one that the pass runs on, or one nested
// in it. It is built if it isn't known. As it is shared by all that ask, nothing may change
// it that any of them would notice; those who ask for the same operation on several
// goroutines have to take care of each other.
//
// Of panics if the pass may not look at the operation, since other passes may be changing
// it: a pass on functions can ask about what is around them in [Functions].Begin.
func (a *Analysis[T]) Of(c *Context, op *ir.Op) T {
	if op != c.op && !c.op.IsAncestorOf(op) {
		panic(fmt.Sprintf("pass: the analysis %s of '%s', which the pass doesn't run on", a.name, op.Name()))
	}
	f := c.state.facts.at(op, a)
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.built {
		f.value, f.built = a.build(op), true
	}
	v, _ := f.value.(T) // which may be a nil interface
	return v
}

// Dominance is the dominance between the blocks and operations in an operation. It must be
// used by one goroutine at a time. It doesn't depend on the operations in blocks, but for
// their terminators.
var Dominance = NewAnalysis("dominance", func(*ir.Op) *ir.Dominance { return ir.NewDominance() })

// Around returns the analysis of the operation around the one that the pass runs on, as it was before the first pass of its pipeline ran on any
// operation there: what has changed since, it doesn't know. It is shared by passes that run at the same time, so that asking must not change it. It isn't
// known, and false, if nothing says that it is needed ([Decl.UsesAround]), or the pass was run on the operation by itself.
func (a *Analysis[T]) Around(c *Context) (v T, known bool) {
	if c.op.Parent() == nil {
		return v, false
	}
	c.state.facts.mu.Lock()
	defer c.state.facts.mu.Unlock()
	known = false
	if f := c.state.facts.surroundings[c.op.Parent()][a]; f != nil {
		v, known = f.(T)
	}
	return v, known
}

// UsesAround says which analyses the pass asks for by [Analysis.Around].
func (d *Decl) UsesAround(analyses ...AnyAnalysis) { d.around = append(d.around, analyses...) }

// lookAround makes the analyses of op that managers of what is in it need, and returns what forgets them.
func (s *runState) lookAround(ms []*OpPassManager, op *ir.Op) (forget func()) {
	known := map[AnyAnalysis]any{}
	for _, m := range ms {
		for _, it := range m.items {
			if it.inst == nil {
				continue
			}
			for _, a := range it.inst.decl.around {
				if known[a] == nil {
					known[a] = a.of(op)
				}
			}
		}
	}
	if len(known) == 0 {
		return func() {}
	}
	s.facts.mu.Lock()
	defer s.facts.mu.Unlock()
	if s.facts.surroundings == nil {
		s.facts.surroundings = map[*ir.Op]map[AnyAnalysis]any{}
	}
	s.facts.surroundings[op] = known
	return func() {
		s.facts.mu.Lock()
		defer s.facts.mu.Unlock()
		delete(s.facts.surroundings, op)
	}
}

// Uses says which analyses the pass asks for. They are kept until the last pass of the
// pipeline that says so has run on an operation. Others are forgotten after each pass.
func (d *Decl) Uses(analyses ...AnyAnalysis) { d.uses = append(d.uses, analyses...) }

// Preserves says that the analyses are still right, whatever the pass changes.
func (c *Context) Preserves(analyses ...AnyAnalysis) { c.preserved = append(c.preserved, analyses...) }

// Changed says that the pass has changed something in its operation, for which analyses
// that it asks for from now on have to be built anew, except for those that it preserves.
// What a pass does between the last time it asks and its end needn't be said.
func (c *Context) Changed() { c.state.facts.changed(c.op, c.preserved) }

// facts are the analyses that are known during one run of a pipeline.
type facts struct {
	mu    sync.Mutex
	count atomic.Int64 // of nodes
	nodes map[*ir.Op]*factNode
	// last maps analyses to the number of the last pass of the pipeline that uses them.
	last map[AnyAnalysis]int
	// surroundings has what is known about operations on the parts of which passes run at the same time.
	surroundings map[*ir.Op]map[AnyAnalysis]any
}

// factNode is what is known about an operation, or about others in it.
type factNode struct {
	op     *ir.Op
	around *factNode
	inside map[*factNode]struct{}
	known  []*fact // by few analyses
}

type fact struct {
	of    AnyAnalysis
	mu    sync.Mutex
	built bool
	value any
}

// at returns the fact that an analysis is about an operation.
func (s *facts) at(op *ir.Op, a AnyAnalysis) *fact {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.node(op)
	for _, f := range n.known {
		if f.of == a {
			return f
		}
	}
	f := &fact{of: a}
	n.known = append(n.known, f)
	return f
}

func (s *facts) node(op *ir.Op) *factNode {
	n := s.nodes[op]
	if n != nil {
		return n
	}
	n = &factNode{op: op}
	if p := op.Parent(); p != nil {
		n.around = s.node(p)
		if n.around.inside == nil {
			n.around.inside = map[*factNode]struct{}{}
		}
		n.around.inside[n] = struct{}{}
	}
	if s.nodes == nil {
		s.nodes = map[*ir.Op]*factNode{}
	}
	s.nodes[op] = n
	s.count.Add(1)
	return n
}

// changed forgets what is no longer true when something in an operation has changed.
func (s *facts) changed(op *ir.Op, preserved []AnyAnalysis) {
	if s.count.Load() == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	keep := func(a AnyAnalysis) bool { return slices.Contains(preserved, a) }
	s.filter(op, keep)
	s.around(op.Parent(), keep)
}

// added forgets what is no longer true when something new stands beside the parts of an
// operation, which are as they were.
func (s *facts) added(op *ir.Op) {
	if s.count.Load() == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.around(op, func(AnyAnalysis) bool { return false })
}

// around keeps some of what is known about an operation and those around it.
func (s *facts) around(op *ir.Op, keep func(AnyAnalysis) bool) {
	for ; op != nil; op = op.Parent() {
		if n := s.nodes[op]; n != nil {
			n.filter(keep)
			s.prune(n)
		}
	}
}

// passed forgets what no pass after the one of the given number uses.
func (s *facts) passed(op *ir.Op, number int) {
	if s.count.Load() == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.filter(op, func(a AnyAnalysis) bool { return s.last[a] > number })
}

// filter keeps some of what is known about an operation and what is in it.
func (s *facts) filter(op *ir.Op, keep func(AnyAnalysis) bool) {
	var visit func(n *factNode)
	visit = func(n *factNode) {
		for in := range n.inside {
			visit(in)
		}
		n.filter(keep)
		s.prune(n)
	}
	if n := s.nodes[op]; n != nil {
		visit(n)
	}
}

func (n *factNode) filter(keep func(AnyAnalysis) bool) {
	n.known = slices.DeleteFunc(n.known, func(f *fact) bool { return !keep(f.of) })
}

// prune removes a node of which nothing is known.
func (s *facts) prune(n *factNode) {
	for n != nil && len(n.known) == 0 && len(n.inside) == 0 && s.nodes[n.op] == n {
		delete(s.nodes, n.op)
		s.count.Add(-1)
		if n.around != nil {
			delete(n.around.inside, n)
		}
		n = n.around
	}
}

// number numbers the passes of a pipeline in the order in which they run on an operation,
// from 1 on, and notes which is the last to use an analysis. Passes of pipelines that run
// within a pass have no number: all that the others use is kept.
func (s *runState) number(m *OpPassManager) {
	s.facts.last = map[AnyAnalysis]int{}
	m.each(func(i *Instance) {
		s.numbers[i] = len(s.numbers) + 1
		for _, a := range i.decl.uses {
			s.facts.last[a] = s.numbers[i]
		}
	})
}

// done notes what a pass has left of the analyses of its operation.
func (c *Context) done(i *Instance, ok bool) {
	f := &c.state.facts
	if f.count.Load() == 0 {
		return
	}
	switch {
	case !ok:
		f.changed(c.op, nil)
		f.passed(c.op, math.MaxInt)
	default:
		if !c.unchanged {
			f.changed(c.op, c.preserved)
		}
		f.passed(c.op, c.state.numbers[i])
	}
}
