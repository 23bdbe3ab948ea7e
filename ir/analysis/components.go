package analysis

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// setOf returns the component of a value, computing components by Tarjan's
// algorithm, without recursion, for what was not reached yet.
func (o *Origins) setOf(v *ir.Value) *originSet {
	root := o.node(v)
	if c := o.nodes[root].comp; c != nil {
		return c
	}
	stack, frames := o.open, o.path
	reach := func(i int32) {
		n := &o.nodes[i]
		o.reached++
		n.index, n.low = o.reached, o.reached
		stack = append(stack, i)
		frames = append(frames, pathEdge{i, n.first})
	}
	reach(root)
	for len(frames) > 0 {
		f := &frames[len(frames)-1]
		n := &o.nodes[f.node]
		if f.edge != 0 {
			e := o.edges[f.edge-1]
			f.edge = e.next
			switch s := &o.nodes[e.source]; {
			case s.comp != nil:
			case s.index == 0:
				reach(e.source)
			default:
				n.low = min(n.low, s.index)
			}
			continue
		}
		done := f.node
		frames = frames[:len(frames)-1]
		if len(frames) > 0 {
			p := &o.nodes[frames[len(frames)-1].node]
			p.low = min(p.low, n.low)
		}
		if n.low == n.index {
			k := len(stack) - 1
			for stack[k] != done {
				k--
			}
			o.finish(stack[k:])
			stack = stack[:k]
		}
	}
	o.open, o.path = stack, frames
	return o.nodes[root].comp
}

// finish makes a component of its members, whose sources have components already.
func (o *Origins) finish(members []int32) {
	c := &originSet{}
	for _, i := range members {
		o.nodes[i].comp = c
	}
	for _, i := range members {
		n := &o.nodes[i]
		if n.terminal != 0 {
			c.terminals = c.terminals.union(oneInt(int(n.terminal - 1)))
			if t, ok := o.together[n.value.DefiningOp()]; ok && !o.calls.Fresh(n.value.DefiningOp(), n.value.Index()) {
				c.terminals = c.terminals.union(oneInt(t))
			}
			c.kind = max(c.kind, o.kindOf(n.value))
		}
		for e := n.first; e != 0; e = o.edges[e-1].next {
			d := o.nodes[o.edges[e-1].source].comp
			c.terminals = c.terminals.union(d.terminals)
			c.kind = max(c.kind, d.kind)
		}
	}
	if c.terminals == nil {
		// Nothing is known about where the buffer comes from.
		c.kind = unseenOrigin
	}
}

func (o *Origins) kindOf(terminal *ir.Value) originKind {
	switch _, global := globalOf(terminal); {
	case o.escapes && o.isNew(terminal) && !o.nodes[o.node(terminal)].escape.Has(Kept):
		return localOrigin
	case o.isNew(terminal):
		return allocatedOrigin
	case global && !o.upstream:
		return globalOrigin
	case !o.upstream && IsDistinct(terminal):
		return globalOrigin // callers pass it for nothing else either
	case isFunctionArg(terminal):
		return argumentOrigin
	}
	return unknownOrigin
}

// IsDistinct tells whether a value is an argument of a function that is marked by [DistinctAttr].
func IsDistinct(v *ir.Value) bool {
	return isFunctionArg(v) && interfaces.ArgAttr(v.ArgOwner().ParentOp(), v.Index(), DistinctAttr) != nil
}
