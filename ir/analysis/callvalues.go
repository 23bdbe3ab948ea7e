package analysis

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// findValues finds the functions with a body that something but calls refers to.
func (s *CallSummaries) findValues(root *ir.Op, graph *CallGraph) {
	callers := NewCallers(root, s.tables)
	s.values = map[*ir.FunctionType][]*ir.Op{}
	for _, fn := range graph.Functions {
		if !callers.OnlyCalled(fn) {
			m, _ := interfaces.Function.Of(fn)
			s.values[m.Type(fn)] = append(s.values[m.Type(fn)], fn)
		}
	}
}

// calledType returns the type of the value that an operation calls; nil if it calls none.
func calledType(op *ir.Op) *ir.FunctionType {
	m, ok := interfaces.Call.Of(op)
	if !ok {
		return nil
	}
	if _, v := m.Callee(op); v != nil {
		t, _ := v.Type().(*ir.FunctionType)
		return t
	}
	return nil
}

// Callees returns the functions with a body that a call may call, as far as they are known: one that it names, or all those of
// the type that something but calls refers to.
func (s *CallSummaries) Callees(call *ir.Op) []*ir.Op {
	if callee := s.callee(call); callee != nil {
		if callee.NumRegions() == 0 || callee.RegionAt(0).Empty() {
			return nil
		}
		return []*ir.Op{callee}
	}
	return s.values[calledType(call)]
}

// ofValue returns what is known about the functions that a call of a value may call. Until all have been looked at, they may do anything.
func (s *CallSummaries) ofValue(call *ir.Op) *callSummary {
	t := calledType(call)
	if t == nil || len(s.values[t]) == 0 {
		return nil
	}
	if s.indirect != nil {
		return s.indirect[t]
	}
	k := &callSummary{keeps: make([]bool, len(t.Inputs)), frees: make([]freeing, len(t.Inputs))}
	for i, in := range t.Inputs {
		k.keeps[i], k.frees[i].may = true, ir.IsMemRef(in)
	}
	return k
}

// joinValues joins what is known about the functions of each type that calls of values may call.
func (s *CallSummaries) joinValues() {
	indirect := map[*ir.FunctionType]*callSummary{}
	for t, list := range s.values {
		var sum *callSummary
		for _, fn := range list {
			k := s.known[fn]
			if k == nil {
				k = &callSummary{} // keeps nothing and returns no buffer
			}
			if sum == nil {
				sum = &callSummary{keeps: make([]bool, len(t.Inputs)), addresses: make([]bool, len(t.Inputs)), frees: make([]freeing, len(t.Inputs))}
				sum.stays, sum.fresh, sum.made = append(sum.stays, k.stays...), append(sum.fresh, k.fresh...), append(sum.made, k.made...)
			}
			for i := range t.Inputs {
				sum.keeps[i] = sum.keeps[i] || i < len(k.keeps) && k.keeps[i]
				sum.addresses[i] = sum.addresses[i] || i < len(k.addresses) && k.addresses[i]
				if i < len(k.frees) && k.frees[i].may {
					sum.frees[i] = freeing{may: true}
				}
			}
			for i := range sum.stays {
				sum.stays[i] = sum.stays[i] && i < len(k.stays) && k.stays[i]
			}
			for i := range sum.fresh {
				sum.fresh[i] = sum.fresh[i] && i < len(k.fresh) && k.fresh[i]
			}
			for i := range sum.made {
				if i < len(k.made) {
					sum.made[i] = min(sum.made[i], k.made[i])
				} else {
					sum.made[i] = unknownResult
				}
			}
		}
		indirect[t] = sum
	}
	s.indirect = indirect
}
