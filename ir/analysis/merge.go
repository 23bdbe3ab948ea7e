package analysis

import "freehold/ir"

// Merge notes that an allocation, the terminal, is gone, and that another value was put in its place wherever it was used. It takes time linear
// in the values that the allocation flows into and of which something was asked, and, once for each way on which a buffer leaves because of it, in all.
func (b *Buffers) Merge(terminal, into *ir.Value) {
	i, s := b.node(terminal), b.node(into)
	b.nodes[i].terminal = 0
	b.flow(into, terminal)
	if b.first != nil {
		if b.merged == nil {
			b.merged = map[int32][]int32{}
		}
		b.merged[s] = append(b.merged[s], i)
	}
	if b.spread([]int32{i}) {
		b.forgetAll() // what leaves is of another kind than it was
		return
	}
	b.forget(i)
}

// forgetAll forgets all components.
func (b *Buffers) forgetAll() {
	for i := range b.nodes {
		b.nodes[i].comp, b.nodes[i].index = nil, 0
	}
}

// forget forgets the components of a node and of all that it flows into. What one flows into that has no component has none either.
func (b *Buffers) forget(i int32) {
	b.link()
	for work := []int32{i}; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if int(i) >= len(b.first)-1 || b.nodes[i].comp == nil {
			continue
		}
		b.nodes[i].comp, b.nodes[i].index = nil, 0
		work = append(append(work, b.targets[b.first[i]:b.first[i+1]]...), b.merged[i]...)
	}
}
