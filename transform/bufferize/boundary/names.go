package boundary

import (
	"freehold/ir"
	"freehold/ir/analysis"
)

// names knows of some values which ones they may be other names of, as that was before anything was marked.
type names struct {
	x        *borrowing
	b        *analysis.Buffers
	from, to map[*ir.Value][]*ir.Value
	known    map[*ir.Value]bool
	// origins are the values at which buffers appear, in the order in which they were found.
	origins  []*ir.Value
	isOrigin map[*ir.Value]bool
}

func newNames(x *borrowing, b *analysis.Buffers) *names {
	return &names{x: x, b: b, from: map[*ir.Value][]*ir.Value{}, to: map[*ir.Value][]*ir.Value{}, known: map[*ir.Value]bool{}, isOrigin: map[*ir.Value]bool{}}
}

// add adds a value, and all that it may be. It takes time linear in those that are new.
func (n *names) add(v *ir.Value) {
	for work := []*ir.Value{v}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if n.known[at] {
			continue
		}
		n.known[at] = true
		from := n.x.handedOn(n.b, at)
		n.from[at] = from
		for _, s := range from {
			n.to[s] = append(n.to[s], at)
		}
		work = append(work, from...)
		if n.x.isOrigin(at, from) {
			n.isOrigin[at] = true
			n.origins = append(n.origins, at)
		}
	}
}

// sources calls do for a value and all that it may be, other than those that were seen, from which nothing else is reached either.
func (n *names) sources(v *ir.Value, seen map[*ir.Value]bool, do func(*ir.Value)) {
	flood(v, n.from, seen, do)
}

// users calls do for a value and all that may be it, other than those that were seen, from which nothing else is reached either.
func (n *names) users(v *ir.Value, seen map[*ir.Value]bool, do func(*ir.Value)) {
	flood(v, n.to, seen, do)
}

func flood(v *ir.Value, edges map[*ir.Value][]*ir.Value, seen map[*ir.Value]bool, do func(*ir.Value)) {
	for work := []*ir.Value{v}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		do(at)
		work = append(work, edges[at]...)
	}
}
