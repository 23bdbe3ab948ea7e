package reuse

import (
	"slices"

	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// callNeeds is what a function needs when it is called.
type callNeeds struct {
	arenas []broughtArena // that callers bring
	others []spaceBytes   // what it needs beside these
	// dynamic tells that it, or what it calls, allocates what isn't of static size.
	dynamic bool
}

// spaceBytes is how much is needed in a memory space.
type spaceBytes struct {
	space ir.Attribute
	bytes int64
}

// broughtArena is an arena that callers bring, as an argument.
type broughtArena struct {
	space           ir.Attribute
	size, alignment int64
	// sizeFunction tells the size for given arguments; nil if it is that number.
	sizeFunction *ir.Op
}

// findCallers finds the calls of each function, and those that nothing else refers to.
func (p *memoryPlanner) findCallers() {
	callers := analysis.NewCallers(p.root, p.tables)
	p.root.Walk(func(fn *ir.Op) bool {
		if interfaces.Function.Has(fn) {
			p.callers[fn] = callers.Calls(fn)
			p.known[fn] = callers.OnlyCalled(fn) && (ir.IsPrivate(fn) && len(p.callers[fn]) > 0 || p.options.Arena == ArenaArgument)
		}
		return true
	})
}

// reserve notes how much of memory spaces the functions that call a function have for themselves, as the program says so: that isn't for what they call. Groups are those of the
// call graph, callees first.
func (p *memoryPlanner) reserve(groups [][]*ir.Op) {
	p.reserves = map[*ir.Op][]spaceBytes{}
	withOwn := map[*ir.Op][]spaceBytes{} // the same, with what functions have themselves
	for _, group := range slices.Backward(groups) {
		for _, fn := range group {
			var out []spaceBytes
			for _, call := range p.callers[fn] {
				for _, x := range withOwn[functionOf(call)] {
					out = addBytes(out, x.space, max(0, x.bytes-bytesInSpace(out, x.space)))
				}
			}
			p.reserves[fn], withOwn[fn] = out, addOwn(slices.Clone(out), fn)
		}
	}
}

// functionOf returns the function that an operation is in.
func functionOf(op *ir.Op) *ir.Op {
	for op = op.Parent(); op != nil && !interfaces.Function.Has(op); {
		op = op.Parent()
	}
	return op
}

// addOwn adds what a function allocates in memory spaces that the program names.
func addOwn(all []spaceBytes, fn *ir.Op) []spaceBytes {
	fn.Walk(func(op *ir.Op) bool {
		if op.Is(memref.Alloc) {
			if space := ir.MemorySpaceOf(op.Result(0).Type()); space != nil {
				all = addBytes(all, space, bytesOf(op.Result(0)))
			}
		}
		return true
	})
	return all
}

// addBytes adds to what is needed in a memory space.
func addBytes(all []spaceBytes, space ir.Attribute, bytes int64) []spaceBytes {
	for i := range all {
		if all[i].space == space {
			all[i].bytes = min(all[i].bytes+bytes, unknownBytes)
			return all
		}
	}
	return append(all, spaceBytes{space, min(bytes, unknownBytes)})
}

// bytesInSpace returns what is needed in a memory space.
func bytesInSpace(all []spaceBytes, space ir.Attribute) int64 {
	for _, x := range all {
		if x.space == space {
			return x.bytes
		}
	}
	return 0
}

func (p *memoryPlanner) isRecursive(group []*ir.Op) bool {
	for _, call := range p.callers[group[0]] {
		for fn := call.Parent(); fn != nil; fn = fn.Parent() {
			if slices.Contains(group, fn) {
				return true
			}
		}
	}
	return false
}

// mayComeBack tells whether a function calls what isn't known, which may call it again, or a
// function that does.
func (p *memoryPlanner) mayComeBack(fn *ir.Op) (may bool) {
	fn.Walk(func(op *ir.Op) bool {
		if interfaces.Call.Has(op) {
			callee := p.callee(op)
			may = may || callee == nil || p.comesBack[callee]
		}
		return !may
	})
	return may
}

// callee returns the function with a body that an operation calls; nil if there is none, or
// it isn't known.
func (p *memoryPlanner) callee(op *ir.Op) *ir.Op {
	m, ok := interfaces.Call.Of(op)
	if !ok {
		return nil
	}
	ref, _ := m.Callee(op)
	if ref == nil {
		return nil
	}
	if fn := p.tables.Lookup(op, ref); fn != nil && hasBody(fn) {
		return fn
	}
	return nil
}

// freedArguments tells which arguments the function, or what it calls, may free.
func (f *functionPlanner) freedArguments() []bool {
	args := f.fn.BodyBlock(0).Args()
	out := make([]bool, len(args))
	may := func(v *ir.Value) {
		f.buffers.Terminals(v, func(t *ir.Value) {
			if t.IsBlockArg() && t.ParentBlock() == f.fn.BodyBlock(0) {
				out[t.Index()] = true
			}
		})
	}
	for i, a := range args {
		_, out[i] = f.groups.Of(a)
	}
	for _, op := range f.calling {
		m, _ := interfaces.Call.Of(op)
		start, n := m.Args(op)
		for i := range n {
			if v := op.Operand(start + i); ir.IsMemRef(v.Type()) && f.freesArgument(op, i) {
				may(v)
			}
		}
	}
	return out
}

// freesArgument tells whether what a call calls may free an argument.
func (f *functionPlanner) freesArgument(call *ir.Op, i int) bool {
	list, known := f.freed[f.callee(call)]
	return !known || i >= len(list) || list[i]
}

// anyParallelCall tells whether the function may be called where executions overlap; such
// callers can't bring memory.
func (f *functionPlanner) anyParallelCall() bool {
	for _, call := range f.callers[f.fn] {
		for op := call.Parent(); op != nil; op = op.Parent() {
			if interfaces.Function.Has(op) {
				break
			}
			if !interfaces.RegionBranch.Has(op) || op.Has(ir.TraitParallelRegion) {
				return true
			}
		}
	}
	return false
}
