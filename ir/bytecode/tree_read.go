package bytecode

import (
	"fmt"
	"slices"

	"freehold/internal/slab"
	"freehold/ir"
)

// treeReader reads the operations of a file, or of some sections of it.
type treeReader struct {
	*decoder
	b *ir.Builder
	// crew takes the sections of regions that are isolated from above; nil if the reader reads
	// them where they are.
	crew *crew
	// batch holds such of them as will be a job, of so many bytes.
	batch   []section
	batched int
	// values are those of the regions around the operation at work; nil where one isn't
	// defined yet and was not used. Operations refer to them by numbers that count from
	// firstValue, where those of the closest region start that is isolated from above.
	values     []*ir.Value
	firstValue int
	next       int // where the next value that is defined goes in values
	// missing holds the values that stand for those that are used and not defined yet.
	missing *ir.Block
	pending int // number of values in values that belong to missing
	// blocks are those of the regions around the operation at work; firstBlock is where
	// the innermost region's start.
	blocks     []*ir.Block
	firstBlock int
	allRegions slab.Pool[ir.Region]
	depth      int
	// room is how many values and blocks regions may still claim to have: each takes a byte.
	room   int
	orders []useOrder
	// outdated are operations that may be those of another version of LLVM, with what is in
	// them before them.
	outdated []outdated
	// Scratch for the operation at work.
	state      ir.OpState
	operands   []*ir.Value
	types      []ir.Type
	props      []ir.Attribute
	successors []*ir.Block
	regions    []*ir.Region
}

func newTreeReader(f *file) *treeReader {
	return &treeReader{decoder: newDecoder(f), b: ir.NewBuilder(f.ctx), missing: &ir.Block{}}
}

// readTree reads all operations into a block.
func (f *file) readTree(top *ir.Block) *fault {
	t := newTreeReader(f)
	c := *f.sections[irSection]
	t.room = c.left()
	if t.top(&c, top); !c.ok() {
		return c.err
	}
	if err := t.order(); err != nil {
		return err
	}
	return t.upgrade()
}

// top reads all operations of a file.
func (t *treeReader) top(c *cursor, b *ir.Block) {
	n, args := c.flagged()
	if args {
		c.fail("the block of all operations has arguments")
	}
	t.ops(c, b, n)
	if c.ok() && c.left() > 0 {
		c.fail("%d bytes follow the last operation", c.left())
	}
}

// order gives values the order of their uses.
func (t *treeReader) order() *fault {
	var c cursor
	for i := 0; i < len(t.orders) && c.ok(); i++ {
		t.orders[i].apply(&c)
	}
	t.orders = t.orders[:0]
	return c.err
}

// upgrade makes operations of other versions of LLVM those that are meant.
func (t *treeReader) upgrade() *fault {
	for _, o := range t.outdated {
		if _, err := ir.Upgrade(t.b, o.op, t.reads); err != nil {
			return &fault{o.at, fmt.Sprintf("%s %s", o.op.OpName(), err)}
		}
	}
	return nil
}

// outdated is an operation that may have to be upgraded, and the offset of its bytes.
type outdated struct {
	op *ir.Op
	at int
}

// claim takes room for values or blocks of a region.
func (t *treeReader) claim(c *cursor, at int, n uint64, what string) int {
	if !c.ok() {
		return 0
	}
	if n > uint64(t.room) {
		c.failAt(at, "there can't be %d %s", n, what)
		return 0
	}
	t.room -= int(n)
	return int(n)
}

// ops reads n operations into a block. Each takes at least three bytes.
func (t *treeReader) ops(c *cursor, b *ir.Block, n uint64) {
	if n > uint64(c.left()) {
		c.fail("there can't be %d operations in %d bytes", n, c.left())
	}
	for ; n > 0 && c.ok(); n-- {
		t.op(c, b)
	}
}

// op reads an operation with its regions and appends it to the block.
func (t *treeReader) op(c *cursor, b *ir.Block) {
	at := c.pos
	id := c.index("operation name", len(t.file.ops))
	parts := opParts(c.byte())
	locAt := c.pos
	loc := c.index("attribute", t.attrs.len())
	if !c.ok() {
		return
	}
	n := t.file.ops[id]
	if n.unknown != "" {
		c.failAt(at, "%s", n.unknown)
		return
	}
	s := &t.state
	*s = ir.OpState{Name: n.base, Loc: t.place(c, locAt, loc)}
	t.attributes(c, s, n, parts)
	if parts&hasResults != 0 {
		s.Types = t.resultTypes(c)
	}
	if parts&hasOperands != 0 {
		s.Operands = t.operandsOf(c)
	}
	if parts&hasSuccessors != 0 {
		s.Successors = t.successorsOf(c)
	}
	results := len(s.Types)
	var orders []numberedOrder
	if parts&hasUseListOrders != 0 && t.version >= useListOrders {
		orders = readOrders(c, results)
	}
	regions, isolated := 0, false
	if parts&hasRegions != 0 {
		at := c.pos
		k, flag := c.flagged()
		regions, isolated = c.checkCount(at, k, "regions", 1), flag
		t.regions = t.regions[:0]
		for range regions {
			t.regions = append(t.regions, &t.allRegions.Take(1)[0])
		}
		s.Regions = t.regions
	}
	if !c.ok() {
		return
	}
	t.create(c, b, at, orders)
	op := b.Last()
	if regions > 0 && c.ok() {
		t.regionsOf(c, op, isolated)
	}
	if c.ok() && n.upgraded {
		t.outdated = append(t.outdated, outdated{op, at})
	}
}

// attributes reads the dictionary and the properties of an operation.
func (t *treeReader) attributes(c *cursor, s *ir.OpState, n *opName, parts opParts) {
	at := c.pos
	var dict *ir.DictAttr
	if parts&hasAttrs != 0 {
		i := c.index("attribute", t.attrs.len())
		if i < 0 {
			return
		}
		d, ok := t.attr(c, i).(*ir.DictAttr)
		if !ok {
			c.failAt(at, "the attributes of an operation are no dictionary")
			return
		}
		dict = d
	}
	if parts&hasProperties != 0 && t.version >= nativeProperties {
		if i := c.index("property", len(t.properties)); i >= 0 {
			t.inherent(c, s, i, n)
		}
	}
	switch {
	case dict == nil || !c.ok():
	case t.version < nativeProperties:
		t.merged(c, s, dict.Entries, at)
	default:
		s.Attrs = dict.Entries
	}
}

func (t *treeReader) resultTypes(c *cursor) []ir.Type {
	t.types = t.types[:0]
	for n := c.count("results", 1); n > 0 && c.ok(); n-- {
		if i := c.index("type", t.file.types.len()); i >= 0 {
			t.types = append(t.types, t.typ(c, i))
		}
	}
	return t.types
}

func (t *treeReader) operandsOf(c *cursor) []*ir.Value {
	t.operands = t.operands[:0]
	for n := c.count("operands", 1); n > 0 && c.ok(); n-- {
		if i := c.index("value", len(t.values)-t.firstValue); i >= 0 {
			v := &t.values[t.firstValue+i]
			if *v == nil {
				*v = t.missing.AddArg(nil, ir.Unknown)
				t.pending++
			}
			t.operands = append(t.operands, *v)
		}
	}
	return t.operands
}

func (t *treeReader) successorsOf(c *cursor) []*ir.Block {
	t.successors = t.successors[:0]
	for n := c.count("successors", 1); n > 0 && c.ok(); n-- {
		if i := c.index("block", len(t.blocks)-t.firstBlock); i >= 0 {
			t.successors = append(t.successors, t.blocks[t.firstBlock+i])
		}
	}
	return t.successors
}

// create makes the operation of the state at work, whose bytes start at an offset, at the
// end of the block.
func (t *treeReader) create(c *cursor, b *ir.Block, at int, orders []numberedOrder) {
	s := &t.state
	var standIns []int
	if s.Name.Spelling() != nil {
		s.Attrs = slices.Clone(s.Attrs) // which Normalize may add to
		s.Normalize()
	}
	if r := s.Name.Returned(len(s.Operands)); len(r) > 0 && len(r) == len(s.Types) {
		standIns, s.Types = r, nil
	}
	op := t.b.CreateExact(s)
	b.Append(op)
	for i := range op.NumResults() {
		t.define(c, at, op.Result(i))
	}
	for _, i := range standIns {
		if op.Operand(i).ArgOwner() == t.missing {
			c.failAt(at, "a result stands for an operand that isn't defined yet")
			return
		}
		t.define(c, at, op.Operand(i))
	}
	for _, o := range orders {
		if o.value < op.NumResults() {
			t.orders = append(t.orders, useOrder{op.Result(o.value), o})
		}
	}
}

// define gives a value the next number.
func (t *treeReader) define(c *cursor, at int, v *ir.Value) {
	if t.next >= len(t.values) {
		c.failAt(at, "a region has more values than it says")
		return
	}
	if old := t.values[t.next]; old != nil {
		v.TakeUses(old)
		t.pending--
	}
	t.values[t.next] = v
	t.next++
}

// regionsOf reads the regions of an operation.
func (t *treeReader) regionsOf(c *cursor, op *ir.Op, isolated bool) {
	if t.depth >= maxDepth {
		c.fail("regions are nested deeper than %d levels", maxDepth)
		return
	}
	apart := isolated && t.version >= lazyRegions
	var inner cursor
	if apart {
		at, id := c.pos, irSection
		if id, inner = c.section(); c.ok() && id != irSection {
			c.failAt(at, "a section of kind %d is where regions should be", id)
		}
		if t.crew != nil && c.ok() {
			t.crew.add(t, c, section{op, inner, t.depth})
			return
		}
	}
	next, firstBlock, firstValue, pending := t.next, t.firstBlock, t.firstValue, t.pending
	if isolated {
		t.firstValue, t.pending = len(t.values), 0
	}
	t.depth++
	if !apart {
		t.each(c, op)
	} else if t.section(&inner, op); !inner.ok() {
		c.adopt(inner.err)
	}
	t.depth--
	if t.next, t.firstBlock = next, firstBlock; isolated {
		t.firstValue, t.pending = firstValue, pending
	}
}

// section reads the section with the regions of an operation.
func (t *treeReader) section(c *cursor, op *ir.Op) {
	t.each(c, op)
	if c.ok() && c.left() > 0 {
		c.fail("%d bytes follow the regions of an operation", c.left())
	}
}

// each reads the regions of an operation.
func (t *treeReader) each(c *cursor, op *ir.Op) {
	for _, r := range op.Regions() {
		if c.ok() {
			t.region(c, r)
		}
	}
}

// region reads the blocks of a region.
func (t *treeReader) region(c *cursor, r *ir.Region) {
	at := c.pos
	n := c.varint()
	blocks := t.claim(c, at, n, "blocks")
	if blocks == 0 {
		return
	}
	at = c.pos
	n = c.varint()
	values := t.claim(c, at, n, "values")
	if !c.ok() {
		return
	}
	first := len(t.values)
	t.values = append(t.values, make([]*ir.Value, values)...)
	t.next = first
	t.firstBlock = len(t.blocks)
	for range blocks {
		b := t.b.NewBlock(0)
		r.Append(b)
		t.blocks = append(t.blocks, b)
	}
	for b := range r.Blocks() {
		if !c.ok() {
			return
		}
		t.block(c, b)
	}
	t.blocks = t.blocks[:t.firstBlock]
	if c.ok() && t.pending > 0 {
		for i := first; i < len(t.values); i++ {
			if v := t.values[i]; v != nil && v.ArgOwner() == t.missing {
				c.fail("value %d is used and never defined", i-t.firstValue)
			}
		}
	}
	t.values = t.values[:first]
}

// block reads the arguments and operations of a block.
func (t *treeReader) block(c *cursor, b *ir.Block) {
	n, args := c.flagged()
	if args {
		t.arguments(c, b)
	}
	t.ops(c, b, n)
}

func (t *treeReader) arguments(c *cursor, b *ir.Block) {
	at := c.pos
	n := c.count("block arguments", 1)
	t.b.ReserveArgs(b, n)
	for ; n > 0 && c.ok(); n-- {
		typeAt := c.pos
		id := c.varint()
		hasLocation := true
		if t.version >= elidedLocations {
			id, hasLocation = id>>1, id&1 != 0
		}
		i := c.checkIndex(typeAt, id, "type", t.file.types.len())
		if i < 0 {
			return
		}
		var loc ir.Location = ir.Unknown
		if hasLocation {
			locAt := c.pos
			if l := c.index("attribute", t.attrs.len()); l >= 0 {
				loc = t.place(c, locAt, l)
			}
		}
		typ := t.typ(c, i)
		if c.ok() {
			t.define(c, at, t.b.AddArg(b, typ, loc))
		}
	}
	if t.version < useListOrders || c.byte() == 0 {
		return
	}
	for _, o := range readOrders(c, b.NumArgs()) {
		t.orders = append(t.orders, useOrder{b.Arg(o.value), o})
	}
}
