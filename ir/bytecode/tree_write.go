package bytecode

import (
	"slices"

	"freehold/ir"
)

// treeWriter writes operations.
type treeWriter struct {
	*numbering
	out        buffer
	properties map[string]uint64 // by their bytes
	contents   []string
	scratch    buffer
	blocks     map[*ir.Block]uint64
}

// tree returns the contents of the section of operations.
func (t *treeWriter) tree(op *ir.Op) []byte {
	t.blocks = map[*ir.Block]uint64{}
	t.out.flagged(1, false)
	t.op(op)
	return t.out.b
}

// op writes an operation with its regions.
func (t *treeWriter) op(op *ir.Op) {
	w := &t.out
	w.varint(t.ops.index[op.OpName().In(t.llvm)].number)
	at := len(w.b)
	w.byte(0)
	var parts opParts
	w.varint(t.attr(op.Loc()))
	if d := t.dictionary(op); d != nil {
		parts |= hasAttrs
		w.varint(t.attr(d))
	}
	if t.hasProperties(op) {
		parts |= hasProperties
		w.varint(t.propertiesOf(op))
	}
	returned := op.ReturnedTypes(t.llvm)
	if n := op.NumResults() + len(returned); n > 0 {
		parts |= hasResults
		w.varint(uint64(n))
		for i := range op.NumResults() {
			w.varint(t.typ(op.Result(i).Type()))
		}
		for _, r := range returned {
			w.varint(t.typ(r))
		}
	}
	if n := op.NumOperands(); n > 0 {
		parts |= hasOperands
		w.varint(uint64(n))
		for i := range n {
			w.varint(t.value(op.Operand(i)))
		}
	}
	if n := op.NumSuccessors(); n > 0 {
		parts |= hasSuccessors
		w.varint(uint64(n))
		for i := range n {
			w.varint(t.blocks[op.Successor(i)])
		}
	}
	if n := op.NumResults(); n > 0 && t.useOrders(n, op.Result) {
		parts |= hasUseListOrders
	}
	if n := op.NumRegions(); n > 0 {
		parts |= hasRegions
		isolated := !t.open[op]
		w.flagged(uint64(n), isolated)
		t.regions(op, isolated && t.version >= lazyRegions)
	}
	w.b[at] = byte(parts)
}

// propertiesOf returns the number of an operation's properties.
func (t *treeWriter) propertiesOf(op *ir.Op) uint64 {
	t.scratch.b = t.scratch.b[:0]
	t.numbering.writeProperties(&Writer{t.numbering, &t.scratch}, op)
	i, ok := t.properties[string(t.scratch.b)]
	if !ok {
		i = uint64(len(t.contents))
		s := string(t.scratch.b)
		t.properties[s] = i
		t.contents = append(t.contents, s)
	}
	return i
}

// writeProperties returns the contents of the section of properties.
func (t *treeWriter) writeProperties() []byte {
	var w buffer
	w.varint(uint64(len(t.contents)))
	for _, s := range t.contents {
		w.varint(uint64(len(s)))
		w.b = append(w.b, s...)
	}
	return w.b
}

// regions writes the regions of an operation, as a section of their own if they are lazy.
func (t *treeWriter) regions(op *ir.Op, lazy bool) {
	outer := t.out
	if lazy {
		t.out = buffer{}
	}
	for _, r := range op.Regions() {
		t.region(r)
	}
	if lazy {
		inner := t.out.b
		t.out = outer
		t.out.section(irSection, inner)
	}
}

// region writes the blocks of a region.
func (t *treeWriter) region(r *ir.Region) {
	w := &t.out
	w.varint(uint64(r.NumBlocks()))
	if r.Empty() {
		return
	}
	values, i := 0, uint64(0)
	for b := range r.Blocks() {
		if r.NumBlocks() > 1 {
			t.blocks[b] = i
			i++
		}
		values += b.NumArgs()
		for op := range b.Ops() {
			values += op.NumResults() + len(op.ReturnedTypes(t.llvm))
		}
	}
	w.varint(uint64(values))
	for b := range r.Blocks() {
		t.block(b)
	}
}

// block writes the arguments and operations of a block.
func (t *treeWriter) block(b *ir.Block) {
	w := &t.out
	n := uint64(0)
	for range b.Ops() {
		n++
	}
	w.flagged(n, b.NumArgs() > 0)
	if b.NumArgs() > 0 {
		w.varint(uint64(b.NumArgs()))
		for _, a := range b.Args() {
			known := a.Loc() != ir.Location(ir.Unknown)
			if t.version >= elidedLocations {
				w.flagged(t.typ(a.Type()), known)
			} else {
				w.varint(t.typ(a.Type()))
			}
			if known || t.version < elidedLocations {
				w.varint(t.attr(a.Loc()))
			}
		}
		if t.version >= useListOrders {
			at := len(w.b)
			w.byte(0)
			if t.useOrders(b.NumArgs(), b.Arg) {
				w.b[at] = byte(hasUseListOrders)
			}
		}
	}
	for op := range b.Ops() {
		t.op(op)
	}
}

// useOrders writes the orders of the uses of n values, of those for which they are not the
// opposite of that of the text. It returns whether there are any.
func (t *treeWriter) useOrders(n int, value func(i int) *ir.Value) bool {
	if t.version < useListOrders {
		return false
	}
	var which []int
	for i := range n {
		if !usesInOrder(value(i)) {
			which = append(which, i)
		}
	}
	if which == nil {
		return false
	}
	w := &t.out
	if n != 1 {
		w.varint(uint64(len(which)))
	}
	for _, i := range which {
		if n != 1 {
			w.varint(uint64(i))
		}
		t.useOrder(value(i))
	}
	return true
}

// usesInOrder tells whether the uses of a value stand in the opposite order of the text.
func usesInOrder(v *ir.Value) bool {
	for u := v.FirstUse(); u != nil && u.Next() != nil; u = u.Next() {
		if u.Hint() < u.Next().Hint() {
			return false
		}
	}
	return true
}

// useOrder writes the places of the uses of a value, from the last one in the text to the
// first, or only those that are others than that.
func (t *treeWriter) useOrder(v *ir.Value) {
	w := &t.out
	var hints []uint32
	for u := v.FirstUse(); u != nil; u = u.Next() {
		hints = append(hints, u.Hint())
	}
	places := make([]int, len(hints))
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(a, b int) int { return int(hints[b]) - int(hints[a]) })
	moved := 0
	for i, p := range places {
		if i != p {
			moved++
		}
	}
	if moved < len(places)/2 {
		w.flagged(uint64(2*moved), true)
		for i, p := range places {
			if i != p {
				w.varint(uint64(i))
				w.varint(uint64(p))
			}
		}
		return
	}
	w.flagged(uint64(len(places)), false)
	for _, p := range places {
		w.varint(uint64(p))
	}
}
