package check

import (
	"freehold/dialect/memref"
	"freehold/ir"
	iranalysis "freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// unknownParts returns what is done with an arena that isn't to see a part at a known place, to
// free it, or to ask for its size or address: then another name of it may have parts. What was
// seen before isn't returned again.
func unknownParts(arena *ir.Value, seen map[*ir.Op]bool) (out []*ir.Diagnostic) {
	for u := arena.FirstUse(); u != nil; u = u.Next() {
		op := u.Owner()
		if !op.Is(memref.View) {
			if !leavesAlone(op) && !seen[op] {
				seen[op] = true
				out = append(out, op.Errorf("can't be judged: it is about an arena as a whole"))
			}
			continue
		}
		if overlapsItself(op, arena) {
			out = append(out, op.Errorf("can't be judged: executions of it that overlap in time have the same part of an arena"))
		}
	}
	return out
}

// overlapsItself tells whether an operation may be executed several times at once, for the same arena.
func overlapsItself(op *ir.Op, arena *ir.Value) bool {
	for around := op.Parent(); around != nil && around != arena.ParentBlock().ParentOp(); around = around.Parent() {
		if !interfaces.RegionBranch.Has(around) || around.Has(ir.TraitParallelRegion) {
			return true
		}
	}
	return false
}

// leavesAlone tells whether an operation gives a buffer no other name, and neither reads nor
// writes it: what frees it does.
func leavesAlone(op *ir.Op) bool {
	r := ruleOf(op)
	if r == nil || r.does != asks && r.does != frees || r.destination || len(r.reads)+len(r.writes) > 0 {
		return false
	}
	for i := range op.NumResults() {
		if ir.IsMemRef(op.Result(i).Type()) {
			return false
		}
	}
	return true
}

// broughtArenas returns the calls that bring an arena to a function in a way in which the
// function may see it by another name as well, or its caller need it otherwise: it must be a buffer
// of its own, or a part, that is there for calls only. So it returns functions with arenas whose
// calls aren't known, too.
func (p *program) broughtArenas(root *ir.Op, valued map[*ir.Op]bool) (out []*ir.Diagnostic) {
	takes := func(fn *ir.Op, i int) bool { return interfaces.ArgAttr(fn, i, memref.ArenaAttr) != nil }
	brings := func(u *ir.Use) bool {
		fn, i := p.argument(u)
		return fn != nil && takes(fn, i)
	}
	root.Walk(func(op *ir.Op) bool {
		if valued[op] && isFunction(op) {
			for i := range argumentTypes(op) {
				if takes(op, i) {
					out = append(out, op.Errorf("can't be judged: not all who bring it an arena are known"))
					break
				}
			}
		}
		if !interfaces.Call.Has(op) {
			return true
		}
		for i := range op.NumOperands() {
			v := op.Operand(i)
			fn, k := p.argumentOf(op, i)
			if fn == nil || !takes(fn, k) || memref.IsArena(v) {
				continue // an arena as a whole isn't judged anyway
			}
			if !broughtOnly(v, func(u *ir.Use) bool { return brings(u) && (u.Owner() != op || u.Index() == i) }) {
				out = append(out, op.Errorf("can't be judged: the arena that it brings may be used by another name"))
			}
		}
		return true
	})
	return out
}

// broughtOnly tells whether a buffer is one of its own, or a part, and nothing uses it, by this name or by those that casts give it, but to bring it.
func broughtOnly(v *ir.Value, brings func(u *ir.Use) bool) bool {
	for op := v.DefiningOp(); op != nil && interfaces.IsCast(op); op = v.DefiningOp() {
		v = op.OnlyOperand()
	}
	op := v.DefiningOp()
	if op == nil || !op.Is(memref.Alloc) && !op.Is(memref.Alloca) && !op.Is(memref.View) {
		return false
	}
	names := []*ir.Value{v}
	for i := 0; i < len(names); i++ {
		for u := names[i].FirstUse(); u != nil; u = u.Next() {
			if interfaces.IsCast(u.Owner()) {
				names = append(names, u.Owner().Result(0))
			} else if !leavesAlone(u.Owner()) && !brings(u) {
				return false
			}
		}
	}
	return true
}

// argument returns the function with an argument that a use passes, and the number of the
// argument; nil if it passes none, or the function isn't known.
func (p *program) argument(u *ir.Use) (*ir.Op, int) { return p.argumentOf(u.Owner(), u.Index()) }

// argumentOf is argument for an operand of an operation.
func (p *program) argumentOf(op *ir.Op, operand int) (*ir.Op, int) {
	m, ok := interfaces.Call.Of(op)
	if !ok {
		return nil, 0
	}
	ref, _ := m.Callee(op)
	start, n := m.Args(op)
	if ref == nil || operand < start || operand >= start+n {
		return nil, 0
	}
	return p.lookup(op, ref), operand - start
}

// sharedArenas returns the global arenas of which it isn't known that they are in use by one
// function at a time: such a one is mentioned in one function, which nothing calls, and which calls nothing
// that isn't known.
func (p *program) sharedArenas(root *ir.Op, g *iranalysis.CallGraph, arenas []*ir.Value, valued map[*ir.Op]bool) (out []*ir.Diagnostic) {
	called := calledOf(g)
	users := map[*ir.Op]*ir.Op{} // of globals
	for _, v := range arenas {
		op := v.DefiningOp()
		if op == nil || op.Is(memref.Alloc) || function(op) == nil {
			continue
		}
		m, _ := interfaces.GlobalBuffer.Of(op)
		global, fn := ir.LookupSymbol(op, m(op)), function(op)
		if first, ok := users[global]; ok && first == fn {
			continue
		} else if ok || called[fn] || valued[fn] || p.callsUnknown(g, fn) {
			out = append(out, op.Errorf("can't be judged: others may use the arena at the same time"))
		}
		users[global] = fn
	}
	return out
}

// function returns the function around an operation, or nil.
func function(op *ir.Op) *ir.Op {
	for op != nil && !isFunction(op) {
		op = op.Parent()
	}
	return op
}

// callsUnknown tells whether a function, or what it calls, calls what has no body here.
func (p *program) callsUnknown(g *iranalysis.CallGraph, fn *ir.Op) (unknown bool) {
	seen := map[*ir.Op]bool{fn: true}
	for work := []*ir.Op{fn}; len(work) > 0 && !unknown; {
		fn, work = work[len(work)-1], work[:len(work)-1]
		unknown = fn.RegionAt(0).Empty()
		fn.Walk(func(op *ir.Op) bool {
			if m, ok := interfaces.Call.Of(op); ok {
				ref, _ := m.Callee(op)
				unknown = unknown || ref == nil || p.lookup(op, ref) == nil
			}
			return !unknown
		})
		for _, callee := range g.Callees(fn) {
			if !seen[callee] {
				seen[callee] = true
				work = append(work, callee)
			}
		}
	}
	return unknown
}
