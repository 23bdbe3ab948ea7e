package analysis

import (
	"slices"
	"sync"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// CallSummaries know what functions with a body do with buffers: which arguments they keep
// a way to (return their address, store it, or pass it on to what keeps it), and which
// results are buffers that they have allocated and that nothing else can reach. Functions
// without a body use their arguments only until they return. A call of a value may be one of any function of its type that something
// but calls refers to. The zero value knows of no function, and takes
// all for such.
type CallSummaries struct {
	mu     sync.Mutex
	tables *ir.SymbolTables
	known  map[*ir.Op]*callSummary // of functions about which there is something to say
	// values has, by type, the functions that calls of values may call, and indirect what is known of them together, once all functions have been looked at.
	values   map[*ir.FunctionType][]*ir.Op
	indirect map[*ir.FunctionType]*callSummary
	// allocates holds the functions that may allocate memory while they run.
	allocates map[*ir.Op]bool
}

// callSummary is what is known about a function; a list is nil if it has only false.
type callSummary struct {
	keeps []bool // by argument
	// addresses tells, by argument, whether a result that is no buffer may be computed from its address.
	addresses []bool
	stays     []bool    // by argument: no result is that buffer, or one of which nothing is known
	fresh     []bool    // by result
	made      []making  // by result
	frees     []freeing // by argument
}

// making says what a result of a function is.
type making uint8

const (
	unknownResult  making = iota
	madeOrGiven           // an argument, or a new buffer that nothing else can reach than other results that are that
	madeByFunction        // always a new one
)

// NewCallSummaries looks at all functions in root that something in root calls, or may call. Functions that call each other are
// looked at again as long as more is found: at first they are taken to return new buffers only and to keep nothing, and what a look at them refutes is
// taken back. What is left holds for calls that come back, whose depth is finite, by induction over that. Near-linear in the program but for these functions, which
// take as many rounds as they have arguments and results at worst.
func NewCallSummaries(root *ir.Op) *CallSummaries {
	s := &CallSummaries{tables: ir.NewSymbolTables(), known: map[*ir.Op]*callSummary{}, allocates: map[*ir.Op]bool{}}
	graph := NewCallGraph(root)
	called := s.findCalled(root, graph)
	root.Walk(func(op *ir.Op) bool { // later, passes on functions that run at the same time ask
		if op.Has(ir.TraitSymbolTable) {
			s.tables.Table(op)
		}
		return !interfaces.Function.Has(op)
	})
	for _, group := range graph.BottomUp() {
		if !slices.ContainsFunc(group, func(fn *ir.Op) bool { return called[fn] }) {
			continue
		}
		s.findAllocations(graph, group)
		for _, fn := range group {
			s.suppose(fn)
		}
		for more := true; more; {
			more = false
			for _, fn := range group {
				more = s.look(fn) || more
				more = s.findFrees(fn) || more
			}
		}
	}
	s.joinValues()
	return s
}

// findCalled returns the functions that calls in root call, or may call, and notes those that calls of values may.
func (s *CallSummaries) findCalled(root *ir.Op, graph *CallGraph) map[*ir.Op]bool {
	called, ofValue := map[*ir.Op]bool{}, false
	root.Walk(func(op *ir.Op) bool {
		if callee := s.callee(op); callee != nil {
			called[callee] = true
		}
		ofValue = ofValue || calledType(op) != nil
		return true
	})
	if ofValue {
		s.findValues(root, graph)
	}
	for _, list := range s.values {
		for _, fn := range list {
			called[fn] = true
		}
	}
	return called
}

// findAllocations finds out whether functions that call each other may allocate.
func (s *CallSummaries) findAllocations(graph *CallGraph, group []*ir.Op) {
	allocates := false
	for _, fn := range group {
		for _, callee := range graph.Callees(fn) {
			allocates = allocates || s.allocates[callee]
		}
		fn.Walk(func(op *ir.Op) bool {
			effects, _ := interfaces.EffectsOf(op)
			for _, e := range effects {
				allocates = allocates || e.Kind == interfaces.Allocate
			}
			return !allocates
		})
	}
	for _, fn := range group {
		s.allocates[fn] = allocates
	}
}

// Allocates tells whether a call may allocate memory: unless it is known what the callee
// does, or it has no body, it may. It may be called by several goroutines; s may be nil.
func (s *CallSummaries) Allocates(call *ir.Op) bool {
	callee := s.callee(call)
	return callee == nil || s.allocates[callee]
}

// HasBody tells whether a call may call a function of the program: one with a body, or one
// that isn't known. It may be called by several goroutines; s may be nil.
func (s *CallSummaries) HasBody(call *ir.Op) bool {
	if !interfaces.Call.Has(call) {
		return false
	}
	callee := s.callee(call)
	return callee == nil || callee.NumRegions() > 0 && !callee.RegionAt(0).Empty()
}

// callee returns the function that an operation calls; nil if it calls none, or one that
// isn't known, or if s is nil.
func (s *CallSummaries) callee(call *ir.Op) *ir.Op {
	m, ok := interfaces.Call.Of(call)
	if !ok || s == nil {
		return nil
	}
	ref, _ := m.Callee(call)
	if ref == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tables.Lookup(call, ref)
}

// suppose notes of a function with a body what isn't refuted as long as nobody has looked at it: that each buffer it returns is a new one.
func (s *CallSummaries) suppose(fn *ir.Op) {
	m, _ := interfaces.Function.Of(fn)
	results := m.Type(fn).Results
	if fn.NumRegions() == 0 || fn.RegionAt(0).Empty() || !anyMemRef(results) {
		return
	}
	k := &callSummary{fresh: make([]bool, len(results)), made: make([]making, len(results)), stays: make([]bool, fn.BodyBlock(0).NumArgs())}
	for i, t := range results {
		if ir.IsMemRef(t) {
			k.fresh[i], k.made[i] = true, madeByFunction
		}
	}
	for i := range k.stays {
		k.stays[i] = true
	}
	s.known[fn] = k
}

// look finds out about a function and tells whether that is more than what was known.
func (s *CallSummaries) look(fn *ir.Op) (more bool) {
	if fn.NumRegions() == 0 || fn.RegionAt(0).Empty() {
		return false
	}
	args := fn.BodyBlock(0).Args()
	m, _ := interfaces.Function.Of(fn)
	returns := anyMemRef(m.Type(fn).Results)
	if !returns && !(anyMemRef(ir.TypesOf(args)) && s.mayKeep(fn)) {
		return false
	}
	b := NewBuffers(fn, BufferOptions{Calls: s})
	known := s.known[fn]
	if known == nil {
		known = &callSummary{}
		s.known[fn] = known
	}
	note := func(list *[]bool, i int) {
		if *list == nil {
			*list = make([]bool, len(args))
		}
		more = more || !(*list)[i]
		(*list)[i] = true
	}
	for i, a := range args {
		if !ir.IsMemRef(a.Type()) {
			continue
		}
		ways := b.nodes[b.node(a)].escape
		if ways.Has(Kept &^ AddressReturned) {
			note(&known.keeps, i)
		}
		if ways.Has(AddressReturned) {
			note(&known.addresses, i)
		}
	}
	if !returns {
		return more
	}
	fresh, made := b.freshResults(fn, len(m.Type(fn).Results))
	for i := range made {
		more = more || known.fresh[i] && !fresh[i] || made[i] < known.made[i]
		known.fresh[i], known.made[i] = known.fresh[i] && fresh[i], min(known.made[i], made[i])
	}
	for i, stays := range b.staying(fn) {
		more = more || known.stays[i] && !stays
		known.stays[i] = known.stays[i] && stays
	}
	return more
}

func anyMemRef(types []ir.Type) bool {
	for _, t := range types {
		if ir.IsMemRef(t) {
			return true
		}
	}
	return false
}

// freshResults tells which results of a function are buffers that it has allocated and that
// can be reached in no other way, not even by another result, and what all of them are.
func (b *Buffers) freshResults(fn *ir.Op, results int) (fresh []bool, made []making) {
	fresh, made = make([]bool, results), make([]making, results)
	for i := range fresh {
		fresh[i], made[i] = true, madeByFunction
	}
	groups := make([][]*sharedResults, results) // by result
	for block := range fn.RegionAt(0).Blocks() {
		t := block.Last()
		if t == nil || !interfaces.IsRegionTerminator(t) {
			continue
		}
		for i := range min(results, t.NumOperands()) {
			made[i] = min(made[i], b.makingOf(t.Operand(i)))
			fresh[i] = fresh[i] && made[i] == madeByFunction
		}
		for _, g := range b.sharedBy(t.Operands().Values()[:min(results, t.NumOperands())]) {
			for _, i := range g.results {
				fresh[i], groups[i] = false, append(groups[i], g)
			}
		}
	}
	var unknown []int
	for i := range made {
		if made[i] == unknownResult {
			unknown = append(unknown, i)
		}
	}
	for len(unknown) > 0 {
		i := unknown[len(unknown)-1]
		unknown = unknown[:len(unknown)-1]
		for _, g := range groups[i] {
			for _, j := range g.results {
				if made[j] != unknownResult {
					made[j] = unknownResult
					unknown = append(unknown, j)
				}
			}
			g.results = nil // all are unknown
		}
	}
	return fresh, made
}

// sharedResults are results of a function that may be one buffer.
type sharedResults struct{ results []int }

// sharedBy returns which of the values that a function returns may be one buffer: those that may have appeared at the same place. It takes
// as many steps as there are such places.
func (b *Buffers) sharedBy(values []*ir.Value) (shared []*sharedResults) {
	of := map[int]*sharedResults{}
	for i, v := range values {
		if !ir.IsMemRef(v.Type()) {
			continue
		}
		b.setOf(v).terminals.each(func(terminal int) {
			if of[terminal] == nil {
				of[terminal] = &sharedResults{}
			}
			of[terminal].results = append(of[terminal].results, i)
		})
	}
	for _, g := range of {
		if len(g.results) > 1 {
			shared = append(shared, g)
		}
	}
	return shared
}

// makingOf tells what a function returns by a value.
func (b *Buffers) makingOf(v *ir.Value) making {
	switch {
	case !ir.IsMemRef(v.Type()):
		return unknownResult
	case b.IsLocal(v):
		return madeByFunction
	}
	m := madeOrGiven
	c := b.setOf(v)
	if c.terminals == nil {
		return unknownResult
	}
	c.terminals.each(func(t int) {
		if x := b.order[t]; !isFunctionArg(x) && b.kindOf(x) != localOrigin {
			m = unknownResult
		}
	})
	return m
}

// staying tells which arguments of a function no result is.
func (b *Buffers) staying(fn *ir.Op) []bool {
	args := fn.BodyBlock(0).Args()
	stays := make([]bool, len(args))
	for i := range stays {
		stays[i] = true
	}
	for block := range fn.RegionAt(0).Blocks() {
		t := block.Last()
		if t == nil || !interfaces.IsRegionTerminator(t) {
			continue
		}
		var returned *intSet
		for _, v := range t.Operands().Values() {
			if !ir.IsMemRef(v.Type()) {
				continue
			}
			c := b.setOf(v)
			if c.kind >= unknownOrigin {
				return make([]bool, len(args)) // it may be any of them
			}
			returned = returned.union(c.terminals)
		}
		for i, a := range args {
			stays[i] = stays[i] && !(ir.IsMemRef(a.Type()) && returned.intersects(b.setOf(a).terminals))
		}
	}
	return stays
}

// mayKeep tells whether anything in a function lets a buffer out of sight or makes an
// address of it.
func (s *CallSummaries) mayKeep(fn *ir.Op) bool {
	o := &Origins{escapes: true, calls: s}
	found := false
	fn.Walk(func(op *ir.Op) bool {
		if !found {
			o.findEscapes(op)
			found = len(o.carriers) > 0 || o.kept
		}
		return !found
	})
	return found
}

// Keeps tells whether the function that a call calls keeps a way to an argument, other than by returning it. It may be
// called by several goroutines; s may be nil.
func (s *CallSummaries) Keeps(call *ir.Op, arg int) bool {
	if s == nil {
		return false
	}
	k := s.of(call)
	return k != nil && arg < len(k.keeps) && k.keeps[arg]
}

// ReturnsAddress tells whether the function that a call calls may return something that is no buffer, but computed from the address of
// an argument. It may be called by several goroutines.
func (s *CallSummaries) ReturnsAddress(call *ir.Op, arg int) bool {
	k := s.of(call)
	return k != nil && arg < len(k.addresses) && k.addresses[arg]
}

// Fresh tells whether a result of a call is a buffer that the callee has allocated and that
// nothing else can reach. It may be called by several goroutines; s may be nil.
func (s *CallSummaries) Fresh(call *ir.Op, result int) bool {
	if s == nil {
		return false
	}
	k := s.of(call)
	return k != nil && result < len(k.fresh) && k.fresh[result]
}

// making tells what a result of a call is. It may be called by several goroutines; s may be nil.
func (s *CallSummaries) making(call *ir.Op, result int) making {
	if s == nil {
		return unknownResult
	}
	if k := s.of(call); k != nil && result < len(k.made) {
		return k.made[result]
	}
	return unknownResult
}

// Stays tells whether no result of a call is the buffer that it is given as an argument, and the callee keeps no way to
// that. It may be called by several goroutines; s may be nil.
func (s *CallSummaries) Stays(call *ir.Op, arg int) bool {
	if s == nil {
		return false
	}
	k := s.of(call)
	return k != nil && arg >= 0 && arg < len(k.stays) && k.stays[arg] && !(arg < len(k.keeps) && k.keeps[arg])
}

// of returns what is known about the function that an operation calls; nil if it calls
// none, or there is nothing to say.
func (s *CallSummaries) of(call *ir.Op) *callSummary {
	if len(s.known) == 0 {
		return nil
	}
	if callee := s.callee(call); callee != nil {
		return s.known[callee]
	}
	return s.ofValue(call)
}
