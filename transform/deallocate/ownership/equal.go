package ownership

import (
	"fmt"
	"strings"

	"freehold/ir"
)

// equal returns, for each passed value that is always the same as an earlier one of the same block or operation, the first such one, also where they go round in
// loops: what starts equal, and is computed in the same way from what is equal, stays equal. All are taken to be equal that can be, and told apart by what they get
// until that changes nothing; where a set is split, the largest part keeps its number, so that each value gets a new one at most a logarithmic number of times.
func (p *passed) equal() map[*ir.Value]*ir.Value {
	n := &numbering{passed: p, class: map[*ir.Value]int{}, users: map[*ir.Value][]*ir.Value{}, numbers: map[any]int{}}
	for _, v := range p.order {
		var owner any = v.DefiningOp()
		if v.IsBlockArg() {
			owner = v.ArgOwner()
		}
		n.add(v, owner)
	}
	for _, v := range p.order {
		for _, s := range p.sources[v] {
			n.look(s)
			n.users[s] = append(n.users[s], v)
		}
	}
	n.refine()
	first, equal := map[int]*ir.Value{}, map[*ir.Value]*ir.Value{}
	for _, v := range p.order {
		if w := first[n.class[v]]; w != nil {
			equal[v] = w
		} else {
			first[n.class[v]] = v
		}
	}
	return equal
}

// numbering gives numbers to values; those with the same number aren't told apart.
type numbering struct {
	*passed
	class   map[*ir.Value]int
	members [][]*ir.Value
	users   map[*ir.Value][]*ir.Value // what depends on a value
	numbers map[any]int               // by what is equal of all members
}

func (n *numbering) add(v *ir.Value, key any) {
	k, ok := n.numbers[key]
	if !ok {
		k = len(n.members)
		n.numbers[key] = k
		n.members = append(n.members, nil)
	}
	n.class[v] = k
	n.members[k] = append(n.members[k], v)
}

// look numbers a value that isn't passed, and what it is computed of.
func (n *numbering) look(v *ir.Value) {
	if _, ok := n.class[v]; ok {
		return
	}
	var op *ir.Op
	if v != nil {
		op = v.DefiningOp()
	}
	if op == nil || !isExpression(op) {
		n.add(v, v)
		return
	}
	n.add(v, expressionKey(op))
	for _, w := range op.Operands().Values() {
		n.look(w)
		n.users[w] = append(n.users[w], v)
	}
}

// parts returns what a value's number depends on.
func (n *numbering) parts(v *ir.Value) []*ir.Value {
	if sources := n.sources[v]; sources != nil {
		return sources
	}
	if op := v.DefiningOp(); op != nil && isExpression(op) {
		return op.Operands().Values()
	}
	return nil
}

// refine splits sets of values until the parts of those that aren't told apart aren't either.
func (n *numbering) refine() {
	var work []int
	queued := map[int]bool{}
	push := func(k int) {
		if !queued[k] && len(n.members[k]) > 1 {
			queued[k] = true
			work = append(work, k)
		}
	}
	for k := range n.members {
		push(k)
	}
	for len(work) > 0 {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		queued[k] = false
		var order []string
		split := map[string][]*ir.Value{}
		for _, v := range n.members[k] {
			s := n.signature(v)
			if split[s] == nil {
				order = append(order, s)
			}
			split[s] = append(split[s], v)
		}
		largest := 0
		for i, s := range order {
			if len(split[s]) > len(split[order[largest]]) {
				largest = i
			}
		}
		for i, s := range order {
			if i == largest {
				n.members[k] = split[s]
				continue
			}
			for _, v := range split[s] {
				n.class[v] = len(n.members)
			}
			n.members = append(n.members, split[s])
		}
		for i, s := range order {
			for _, v := range split[s] {
				for _, u := range n.users[v] {
					if i != largest {
						push(n.class[u])
					}
				}
			}
		}
	}
}

// signature returns the numbers of what a value's number depends on. What isn't known is never equal.
func (n *numbering) signature(v *ir.Value) string {
	b := []byte{}
	for _, w := range n.parts(v) {
		if w == nil {
			return fmt.Sprintf("%p", v)
		}
		b = fmt.Appendf(b, "%d ", n.class[w])
	}
	return string(b)
}

// expressionKey is the same for expressions that compute the same of the same operands, of which constants have none.
func expressionKey(op *ir.Op) string {
	var key strings.Builder
	key.WriteString(op.Name())
	for _, a := range op.AllAttrs() {
		fmt.Fprint(&key, " ", a.Name, "=", a.Value)
	}
	return key.String()
}
