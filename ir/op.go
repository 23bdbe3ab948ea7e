package ir

import (
	"slices"
	"sort"
	"strings"
	"unsafe"
)

// Op is an operation. Operations are made by a [Builder], or by the parser.
type Op struct {
	loc   Location
	block *Block // that holds the operation; nil while it is detached
	prev  *Op    // neighbours in the block
	// What walks look at comes next, in a part that is in one line of the processor's
	// cache wherever in a slab the operation is.
	next *Op
	name *OpName
	ext  *opExt // what few operations have
	// The numbers of operands and results, and where these are: slices would make
	// operations a third larger.
	numOperands, numResults uint32
	firstOperand            *Use
	firstResult             *Value
	// firstProp is where the inherent attributes are, parallel to the definition's
	// Attrs; nil if there are none.
	firstProp *Attribute
	order     uint32 // position in the block while the block's order is valid
	mark      uint32 // see Mark, and in the highest bits what the verifier found, see sound
}

type opExt struct {
	attrs   []NamedAttr // discardable attributes, sorted by name
	regions []*Region
	succs   []BlockUse
	propsOf *DictAttr // properties of an unregistered operation
}

// Name returns the full name, "dialect.op".
func (o *Op) Name() string { return o.name.name }

// spelledName returns the name that the operation has in the version of LLVM of its context: messages say that.
func (o *Op) spelledName() string {
	if len(o.name.later) == 0 {
		return o.name.name
	}
	return o.name.In(o.name.ctx.llvm).name
}

// OpName returns the handle of the operation's name.
func (o *Op) OpName() *OpName { return o.name }

// Def returns the definition; for an unregistered operation an empty one.
func (o *Op) Def() *OpDef { return o.name.def }

// ID returns the identity of the operation. Unregistered operations share one.
func (o *Op) ID() *OpID { return o.name.id }

// Is tells whether the operation is of the given identity.
func (o *Op) Is(id *OpID) bool { return o.name.id == id }

// Has tells whether the operation has all the given traits.
func (o *Op) Has(t Traits) bool { return o.name.def.Traits&t == t }

// Registered tells whether a registered dialect defines the operation.
func (o *Op) Registered() bool { return o.name.Registered() }

// Dialect returns the dialect of the operation's name, or nil.
func (o *Op) Dialect() *Dialect { return o.name.dialect }

// Context returns the context in which the operation lives.
func (o *Op) Context() *Context { return o.name.ctx }

// Loc returns where the operation comes from.
func (o *Op) Loc() Location { return o.loc }

// SetLoc sets where the operation comes from.
func (o *Op) SetLoc(l Location) { o.loc = l }

// Block returns the block that holds the operation, or nil.
func (o *Op) Block() *Block { return o.block }

// Region returns the region that holds the operation, or nil.
func (o *Op) Region() *Region {
	if o.block == nil {
		return nil
	}
	return o.block.region
}

// Parent returns the operation whose region holds this one, or nil.
func (o *Op) Parent() *Op {
	if o.block == nil || o.block.region == nil {
		return nil
	}
	return o.block.region.op
}

// ParentOf returns the closest enclosing operation of the given definition, or
// nil.
func (o *Op) ParentOf(id *OpID) *Op {
	for p := o.Parent(); p != nil; p = p.Parent() {
		if p.Is(id) {
			return p
		}
	}
	return nil
}

// ParentWith returns the closest enclosing operation with the trait, or nil.
func (o *Op) ParentWith(t Traits) *Op {
	for p := o.Parent(); p != nil; p = p.Parent() {
		if p.Has(t) {
			return p
		}
	}
	return nil
}

// IsAncestorOf tells whether x is this operation or nested in it.
func (o *Op) IsAncestorOf(x *Op) bool {
	for ; x != nil; x = x.Parent() {
		if x == o {
			return true
		}
	}
	return false
}

// IsProperAncestorOf tells whether x is nested in this operation.
func (o *Op) IsProperAncestorOf(x *Op) bool { return x != o && o.IsAncestorOf(x) }

// Next returns the following operation of the block, or nil.
func (o *Op) Next() *Op { return o.next }

// Prev returns the preceding operation of the block, or nil.
func (o *Op) Prev() *Op { return o.prev }

// IsBefore tells whether the operation comes before x, which must be in the same
// block. Constant time, amortised over changes to the block.
func (o *Op) IsBefore(x *Op) bool {
	if !o.block.ordered {
		o.block.renumber()
	}
	return o.order < x.order
}

// ComparePlaces compares the places of two operations of one block, for sorting. Constant time, as [Op.IsBefore].
func ComparePlaces(a, b *Op) int {
	switch {
	case a == b:
		return 0
	case a.IsBefore(b):
		return -1
	}
	return 1
}

// Mark returns a number that the transformation which is running keeps with the
// operation, such as its place in a worklist. It is 0 when a transformation starts,
// which leaves 0 behind where it ends. Only one transformation at a time may use
// the marks of an operation.
func (o *Op) Mark() uint32 { return o.mark &^ verified }

// SetMark sets what [Op.Mark] returns, a number less than 1<<30.
func (o *Op) SetMark(m uint32) { o.mark = o.mark&verified | m }

// NumOperands returns the number of operands.
func (o *Op) NumOperands() int { return int(o.numOperands) }

// Operand returns the value of operand i.
func (o *Op) Operand(i int) *Value { return o.Operands()[i].value }

// OnlyOperand returns the operand of an operation that has one; nil if it has none, or several.
func (o *Op) OnlyOperand() *Value {
	if o.numOperands != 1 {
		return nil
	}
	return o.firstOperand.value
}

// OperandUse returns operand i.
func (o *Op) OperandUse(i int) *Use { return &o.Operands()[i] }

// Operands returns all operands. The list is valid until operands are added or
// removed.
func (o *Op) Operands() Operands { return unsafe.Slice(o.firstOperand, o.numOperands) }

func (o *Op) setOperands(list []Use) {
	o.firstOperand, o.numOperands = unsafe.SliceData(list), uint32(len(list))
}

func (o *Op) setResults(list []Value) {
	o.firstResult, o.numResults = unsafe.SliceData(list), uint32(len(list))
}

// setProps sets the inherent attributes, one for each that the definition declares,
// or none.
func (o *Op) setProps(list []Attribute) { o.firstProp = unsafe.SliceData(list) }

// SetOperand makes v operand i.
func (o *Op) SetOperand(i int, v *Value) { o.Operands()[i].Set(v) }

// SetOperands replaces all operands. Group sizes are not adjusted.
func (o *Op) SetOperands(values []*Value) {
	if len(values) == len(o.Operands()) {
		for i, v := range values {
			if o.Operands()[i].value != v {
				o.Operands()[i].Set(v)
			}
		}
		return
	}
	o.changed()
	for i := range o.Operands() {
		o.Operands()[i].unlink()
	}
	o.setOperands(make(Operands, len(values)))
	for i, v := range values {
		u := &o.Operands()[i]
		u.owner, u.index = o, int32(i)
		u.link(v)
	}
}

// InsertOperands inserts values before operand i. Group sizes are not adjusted.
func (o *Op) InsertOperands(i int, values ...*Value) {
	n := len(values)
	if n == 0 {
		return
	}
	o.changed()
	next := make(Operands, len(o.Operands())+n)
	for j := range o.Operands() {
		k := j
		if j >= i {
			k += n
		}
		o.Operands()[j].relocate(&next[k])
		next[k].index = int32(k)
	}
	o.setOperands(next)
	for j, v := range values {
		u := &next[i+j]
		u.owner, u.index = o, int32(i+j)
		u.link(v)
	}
}

// EraseOperands removes n operands from i on. Group sizes are not adjusted.
func (o *Op) EraseOperands(i, n int) {
	if n == 0 {
		return
	}
	o.changed()
	for j := i; j < i+n; j++ {
		o.Operands()[j].unlink()
	}
	next := make(Operands, len(o.Operands())-n)
	for j := range next {
		k := j
		if j >= i {
			k += n
		}
		o.Operands()[k].relocate(&next[j])
		next[j].index = int32(j)
	}
	o.setOperands(next)
}

// OperandGroup returns the operands of declared group g.
func (o *Op) OperandGroup(g int) Operands {
	start, n := o.OperandGroupRange(g)
	return o.Operands()[start : start+n]
}

// OperandGroupRange returns the position and number of the operands of declared
// group g. For operations that don't fit their declaration the range is cut to
// the operands there are.
func (o *Op) OperandGroupRange(g int) (start, n int) {
	def := o.name.def
	if def.Traits.Has(TraitAttrSizedOperandSegments) {
		seg := o.operandSegments()
		return segment(seg, g, len(o.Operands()))
	}
	variadic := -1
	for i := range def.Operands {
		if def.Operands[i].Arity != One {
			variadic = i
			break
		}
	}
	return groupRange(g, variadic, len(def.Operands), len(o.Operands()))
}

// operandSegments returns the attribute with the sizes of the groups, or nil.
func (o *Op) operandSegments() *DenseArrayAttr {
	if i := o.name.verifyPlan().operandSizes; i >= 0 {
		seg, _ := o.Prop(i).(*DenseArrayAttr)
		return seg
	}
	seg, _ := o.DiscardableAttr(OperandSegmentsAttr).(*DenseArrayAttr)
	return seg
}

func segment(seg *DenseArrayAttr, g, total int) (start, n int) {
	if seg == nil || seg.Elem != Type(I32) || 4*g >= len(seg.Data) {
		return total, 0
	}
	for d := seg.Data[:4*g+4]; len(d) > 0; d = d[4:] {
		start += n
		n = int(int32(uint32(d[0]) | uint32(d[1])<<8 | uint32(d[2])<<16 | uint32(d[3])<<24))
	}
	if start < 0 || n < 0 || start+n > total {
		return total, 0
	}
	return start, n
}

// groupRange finds group g of several groups of which only one may have another
// size than one.
func groupRange(g, variadic, groups, total int) (start, n int) {
	if variadic < 0 || g < variadic {
		start, n = g, 1
	} else {
		extra := total - (groups - 1)
		if g == variadic {
			start, n = g, extra
		} else {
			start, n = g+extra-1, 1
		}
	}
	if start < 0 || n < 0 || start+n > total {
		return total, 0
	}
	return start, n
}

// OptionalOperand returns the value of an optional group, or nil.
func (o *Op) OptionalOperand(g int) *Value {
	if ops := o.OperandGroup(g); len(ops) > 0 {
		return ops[0].value
	}
	return nil
}

// SetOperandGroup replaces the operands of declared group g and adjusts the
// group sizes.
func (o *Op) SetOperandGroup(g int, values []*Value) {
	start, n := o.OperandGroupRange(g)
	if len(values) == n {
		for i, v := range values {
			o.Operands()[start+i].Set(v)
		}
		return
	}
	o.EraseOperands(start, n)
	o.InsertOperands(start, values...)
	if o.Has(TraitAttrSizedOperandSegments) {
		seg := o.Attr(OperandSegmentsAttr).(*DenseArrayAttr)
		sizes := make([]int32, seg.Len())
		for i := range sizes {
			sizes[i] = int32(seg.Int(i))
		}
		sizes[g] = int32(len(values))
		o.SetAttr(OperandSegmentsAttr, o.Context().DenseI32Array(sizes...))
	}
}

// EraseResults leaves the operation without results. They must have no uses.
func (o *Op) EraseResults() {
	o.changed()
	o.setResults(nil)
}

// NumResults returns the number of results.
func (o *Op) NumResults() int { return int(o.numResults) }

// Result returns result i.
func (o *Op) Result(i int) *Value { return &o.Results()[i] }

// Results returns all results.
func (o *Op) Results() Results { return unsafe.Slice(o.firstResult, o.numResults) }

// ResultGroup returns the results of declared group g.
func (o *Op) ResultGroup(g int) Results {
	def := o.name.def
	var start, n int
	if def.Traits.Has(TraitAttrSizedResultSegments) {
		seg, _ := o.Attr(ResultSegmentsAttr).(*DenseArrayAttr)
		start, n = segment(seg, g, len(o.Results()))
	} else {
		variadic, several := -1, 0
		for i := range def.Results {
			if def.Results[i].Arity == One {
				continue
			}
			if several++; variadic < 0 {
				variadic = i
			}
		}
		if several > 1 {
			return o.equalGroup(g, several)
		}
		start, n = groupRange(g, variadic, len(def.Results), len(o.Results()))
	}
	return o.Results()[start : start+n]
}

// equalGroup finds group g of results where several groups of variable size have the
// same size (SameVariadicResultSize).
func (o *Op) equalGroup(g, several int) Results {
	results, groups := o.Results(), o.name.def.Results
	each := (len(results) - (len(groups) - several)) / several
	if each < 0 {
		return nil
	}
	start, n := 0, 0
	for i := range g + 1 {
		start += n
		if n = 1; groups[i].Arity != One {
			n = each
		}
	}
	if start+n > len(results) {
		return nil
	}
	return results[start : start+n]
}

// HasUses tells whether any result is used.
func (o *Op) HasUses() bool {
	for i := range o.Results() {
		if o.Results()[i].uses != nil {
			return true
		}
	}
	return false
}

// ReplaceAllUsesWith replaces the uses of each result by those of the
// corresponding value.
func (o *Op) ReplaceAllUsesWith(values []*Value) {
	for i := range o.Results() {
		o.Results()[i].ReplaceAllUsesWith(values[i])
	}
}

// Attr returns the attribute of that name, inherent or discardable, or nil.
func (o *Op) Attr(name string) Attribute {
	if i := o.name.def.AttrIndex(name); i >= 0 {
		return o.Prop(i)
	}
	return o.DiscardableAttr(name)
}

// SetAttr sets the attribute of that name, inherent or discardable; nil removes
// it.
func (o *Op) SetAttr(name string, a Attribute) {
	if i := o.name.def.AttrIndex(name); i >= 0 {
		o.SetProp(i, a)
		return
	}
	o.SetDiscardableAttr(name, a)
}

// Prop returns inherent attribute i of the definition, or nil; nil as well for the
// attributes beyond those, which only later spellings have.
func (o *Op) Prop(i int) Attribute {
	if props := o.Props(); i < len(props) {
		return props[i]
	}
	return nil
}

// SetProp sets inherent attribute i of the definition; nil removes it.
func (o *Op) SetProp(i int, a Attribute) {
	o.changed()
	if o.firstProp == nil {
		o.setProps(make([]Attribute, len(o.name.def.Attrs)))
	}
	o.Props()[i] = a
}

// Props returns the inherent attributes, parallel to the definition's Attrs; it
// is empty if the operation has none. The slice must not be changed.
func (o *Op) Props() []Attribute {
	if o.firstProp == nil {
		return nil
	}
	return unsafe.Slice(o.firstProp, len(o.name.def.Attrs))
}

// PropertiesDict returns the properties of an unregistered operation; nil if it
// has none.
func (o *Op) PropertiesDict() *DictAttr {
	if o.ext == nil {
		return nil
	}
	return o.ext.propsOf
}

// DiscardableAttrs returns the attributes that the definition doesn't declare,
// sorted by name. The slice must not be changed.
func (o *Op) DiscardableAttrs() []NamedAttr {
	if o.ext == nil {
		return nil
	}
	return o.ext.attrs
}

// DiscardableAttr returns a discardable attribute, or nil.
func (o *Op) DiscardableAttr(name string) Attribute {
	if o.ext == nil {
		return nil
	}
	for i := range o.ext.attrs {
		if o.ext.attrs[i].Name == name {
			return o.ext.attrs[i].Value
		}
	}
	return nil
}

// SetDiscardableAttr sets a discardable attribute; nil removes it.
func (o *Op) SetDiscardableAttr(name string, a Attribute) {
	o.changed()
	var attrs []NamedAttr
	if o.ext != nil {
		attrs = o.ext.attrs
	}
	i := sort.Search(len(attrs), func(i int) bool { return attrs[i].Name >= name })
	found := i < len(attrs) && attrs[i].Name == name
	switch {
	case a == nil && found:
		o.ext.attrs = append(attrs[:i:i], attrs[i+1:]...)
	case a == nil:
	case found:
		attrs[i].Value = a
	default:
		x := o.extra()
		x.attrs = append(x.attrs, NamedAttr{})
		copy(x.attrs[i+1:], x.attrs[i:])
		x.attrs[i] = NamedAttr{name, a}
	}
}

// AllAttrs returns inherent and discardable attributes together, sorted by name.
func (o *Op) AllAttrs() []NamedAttr {
	return o.AppendAttrs(make([]NamedAttr, 0, len(o.DiscardableAttrs())+len(o.Props())))
}

// AppendAttrs appends what [Op.AllAttrs] returns to an empty slice, for reuse of
// its memory.
func (o *Op) AppendAttrs(out []NamedAttr) []NamedAttr {
	out = append(out, o.DiscardableAttrs()...)
	for i, a := range o.Props() {
		if a != nil {
			out = append(out, NamedAttr{o.name.def.Attrs[i].Name, a})
		}
	}
	slices.SortFunc(out, func(a, b NamedAttr) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func (o *Op) extra() *opExt {
	if o.ext == nil {
		o.ext = &opExt{}
	}
	return o.ext
}

// NumRegions returns the number of regions.
func (o *Op) NumRegions() int { return len(o.Regions()) }

// RegionAt returns region i.
func (o *Op) RegionAt(i int) *Region { return o.ext.regions[i] }

// Regions returns the regions. The slice must not be changed.
func (o *Op) Regions() []*Region {
	if o.ext == nil {
		return nil
	}
	return o.ext.regions
}

// BodyBlock returns the first block of region i, or nil if it has none.
func (o *Op) BodyBlock(i int) *Block {
	if i >= o.NumRegions() {
		return nil
	}
	return o.ext.regions[i].first
}

// NumSuccessors returns the number of successor blocks.
func (o *Op) NumSuccessors() int {
	if o.ext == nil {
		return 0
	}
	return len(o.ext.succs)
}

// Successor returns successor i.
func (o *Op) Successor(i int) *Block { return o.ext.succs[i].block }

// SetSuccessor makes b successor i.
func (o *Op) SetSuccessor(i int, b *Block) {
	s := &o.ext.succs[i]
	s.unlink()
	s.link(b)
}

// Remove takes the operation out of its block; it keeps its operands.
func (o *Op) Remove() {
	b := o.block
	if b == nil {
		return
	}
	if o.prev != nil {
		o.prev.next = o.next
	} else {
		b.first = o.next
	}
	if o.next != nil {
		o.next.prev = o.prev
	} else {
		b.last = o.prev
	}
	if b.first == nil {
		b.changed()
	}
	o.block, o.prev, o.next = nil, nil, nil
}

// MoveBefore moves the operation before x.
func (o *Op) MoveBefore(x *Op) {
	o.Remove()
	x.block.insert(o, x)
}

// MoveAfter moves the operation after x.
func (o *Op) MoveAfter(x *Op) {
	o.Remove()
	x.block.insert(o, x.next)
}

// MoveToEnd moves the operation to the end of the block.
func (o *Op) MoveToEnd(b *Block) {
	o.Remove()
	b.insert(o, nil)
}

// MoveToStart moves the operation to the start of the block.
func (o *Op) MoveToStart(b *Block) {
	o.Remove()
	b.insert(o, b.first)
}

// Erase removes the operation, drops its operands and everything in its regions.
// Its results must have no uses outside of it.
func (o *Op) Erase() {
	o.Remove()
	o.DropReferences()
}

// DropReferences makes the operation and all that it holds use nothing.
func (o *Op) DropReferences() {
	for i := range o.Operands() {
		o.Operands()[i].unlink()
	}
	if o.ext != nil {
		for i := range o.ext.succs {
			o.ext.succs[i].unlink()
		}
		for _, r := range o.ext.regions {
			for b := r.first; b != nil; b = b.next {
				for x := b.first; x != nil; x = x.next {
					x.DropReferences()
				}
			}
		}
	}
}

// Walk calls fn for the operation and all nested ones, parents first. Where fn
// returns false, the operation's regions are skipped. fn may erase the operation
// it is given.
func (o *Op) Walk(fn func(*Op) bool) {
	// What fn erases has no regions left to walk.
	regions := o.Regions()
	if !fn(o) {
		return
	}
	for _, r := range regions {
		for b := r.first; b != nil; {
			nb := b.next
			for x := b.first; x != nil; {
				nx := x.next
				x.Walk(fn)
				x = nx
			}
			b = nb
		}
	}
}

// CountOps returns how many operations there are, the operation itself and all nested ones. Linear.
func (o *Op) CountOps() (n int) {
	o.Walk(func(*Op) bool { n++; return true })
	return n
}

// WalkPostOrder calls fn for all nested operations and then the operation
// itself. fn may erase the operation it is given.
func (o *Op) WalkPostOrder(fn func(*Op)) {
	for _, r := range o.Regions() {
		for b := r.first; b != nil; {
			nb := b.next
			for x := b.first; x != nil; {
				nx := x.next
				x.WalkPostOrder(fn)
				x = nx
			}
			b = nb
		}
	}
	fn(o)
}
