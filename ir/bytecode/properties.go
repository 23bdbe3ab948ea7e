package bytecode

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync/atomic"

	"freehold/ir"
)

// properties are the inherent attributes of operations. Many operations share them.
type properties struct {
	start, end int
	last       atomic.Pointer[propertyValue]
}

// propertyValue is what properties are for an operation.
type propertyValue struct {
	of    *ir.OpName
	attrs []ir.Attribute // which don't change
}

// readProperties finds where properties are.
func (f *file) readProperties() *fault {
	c := f.sections[propertySection]
	if c.left() == 0 {
		return nil
	}
	f.properties = make([]properties, c.count("properties", 1))
	for i := range f.properties {
		n := c.varint()
		start := c.pos
		c.bytes(n)
		f.properties[i].start, f.properties[i].end = start, c.pos
	}
	return c.err
}

// layout returns the inherent attributes of a spelling in the order in which they are
// encoded, that of their names, with those that are numbers or flags last, and those that have the sizes of groups, where these
// are numbers that follow.
func layout(n *ir.OpName, version int) (encoded, sizes []int) {
	def := n.Def()
	for i := range def.Attrs {
		if !n.Has(i) {
			continue
		}
		if _, isSizes := def.GroupsOf(i); isSizes && version >= nativeSegments {
			sizes = append(sizes, i)
		} else {
			encoded = append(encoded, i)
		}
	}
	byName := func(a, b int) int { return strings.Compare(def.Attrs[a].Name, def.Attrs[b].Name) }
	slices.SortFunc(encoded, func(a, b int) int {
		switch {
		case def.Attrs[a].Plain() == def.Attrs[b].Plain():
			return byName(a, b)
		case def.Attrs[a].Plain():
			return -1
		}
		return 1
	})
	slices.SortFunc(sizes, byName)
	return encoded, sizes
}

// hasAttributes tells whether a spelling has inherent attributes.
func hasAttributes(n *ir.OpName) bool {
	for i := range n.Def().Attrs {
		if n.Has(i) {
			return true
		}
	}
	return false
}

// mayBeAbsent tells whether an inherent attribute is encoded with its presence.
func mayBeAbsent(d *ir.AttrDef) bool { return d.Optional || d.Default != nil }

// propertiesOf reads properties i for an operation, into props. If they can't be what the producer's
// version of LLVM has, they are what another one has: not every change of a definition is
// known to the version.
func (d *decoder) propertiesOf(c *cursor, i int, n *opName, props []ir.Attribute) []ir.Attribute {
	p := &d.properties[i]
	if v := p.last.Load(); v != nil && v.of == n.spelled {
		return append(props, v.attrs...)
	}
	if !c.ok() {
		return nil
	}
	attrs, err := d.decodeProperties(p, n)
	if (err != nil || !accepted(n.spelled, attrs)) && !d.ahead {
		for _, l := range append([]*ir.OpName{n.base}, n.base.Later()...) {
			other := *n
			other.spelled = l
			other.encoded, other.sizes = layout(l, d.version)
			if a, again := d.decodeProperties(p, &other); again == nil && accepted(l, a) {
				attrs, err, *n = a, nil, other
				break
			}
		}
	} else if err == nil && d.ahead && !accepted(n.spelled, attrs) {
		c.failAt(p.start, "the properties of %s may be those of another version", n.name)
		return nil
	}
	if err != nil {
		c.adopt(err)
		return nil
	}
	v := &d.propertyValues.Take(1)[0]
	*v = propertyValue{n.spelled, attrs}
	p.last.Store(v)
	return append(props, attrs...)
}

// accepted tells whether inherent attributes are such as a spelling demands.
func accepted(n *ir.OpName, attrs []ir.Attribute) bool {
	for k := range attrs {
		if d := &n.Def().Attrs[k]; attrs[k] != nil && d.Plain() && !d.Accepts(attrs[k]) {
			return false
		}
	}
	return true
}

// decodeProperties reads properties for an operation in a spelling.
func (d *decoder) decodeProperties(p *properties, n *opName) ([]ir.Attribute, *fault) {
	def := n.spelled.Def()
	attrs := d.attrLists.Take(len(def.Attrs))
	r := &d.props
	r.cursor = cursor{src: d.src, pos: p.start, end: p.end}
	for _, k := range n.encoded {
		switch def := &def.Attrs[k]; {
		case def.Number:
			attrs[k] = r.enumeration(def)
		case def.Flag:
			attrs[k] = r.flag(def)
		case mayBeAbsent(def):
			attrs[k] = r.OptionalAttr()
		default:
			attrs[k] = r.Attr()
		}
	}
	for _, k := range n.sizes {
		groups, _ := def.GroupsOf(k)
		attrs[k] = d.ctx.DenseI32Array(r.sparse(groups)...)
	}
	if r.ok() && r.left() > 0 {
		r.fail("%d bytes are left of the properties of %s", r.left(), n.name)
	}
	for k, a := range attrs {
		if a != nil {
			a = n.spelled.Meant(ir.NamedAttr{Name: def.Attrs[k].Name, Value: a})
			attrs[k] = a
		}
		if msg := unfit(def, k, a); r.ok() && msg != "" {
			r.failAt(p.start, "%s of %s", msg, n.name)
		}
	}
	return attrs, r.err
}

// unfit tells what is wrong with a value for an inherent attribute, or "".
func unfit(def *ir.OpDef, k int, a ir.Attribute) string {
	d := &def.Attrs[k]
	if a == nil {
		return ""
	}
	if d.Type.Class != nil && !d.Type.Class(a) {
		return fmt.Sprintf("invalid value %s for the attribute '%s'", a, d.Name)
	}
	if n, ok := def.GroupsOf(k); ok {
		if l, isList := a.(*ir.DenseArrayAttr); !isList || l.Elem != ir.Type(ir.I32) || l.Len() != n {
			return fmt.Sprintf("'%s' has not %d sizes", d.Name, n)
		}
	}
	return ""
}

// sparse reads n numbers, of which those that aren't told are zero.
func (r *Reader) sparse(n int) []int32 {
	out := make([]int32, n)
	at := r.pos
	count, sparse := r.flagged()
	if count > uint64(n) {
		r.failAt(at, "there are %d sizes where %d are expected", count, n)
		return out
	}
	if !sparse {
		for i := range out[:count] {
			out[i] = int32(r.varint())
		}
		return out
	}
	if count == 0 {
		return out
	}
	width := r.varint() // of the position, which shares a number with the size
	if width > 8 {
		r.failAt(at, "positions have %d bits", width)
		return out
	}
	for ; count > 0; count-- {
		v := r.varint()
		if i := r.checkIndex(at, v&(1<<width-1), "size", n); i >= 0 {
			out[i] = int32(v >> width)
		}
	}
	return out
}

// sparse appends sizes: all of them or, if few of them are not zero, these with their
// positions.
func (w *buffer) sparse(sizes []int64) {
	filled, last := 0, 0
	for i, v := range sizes {
		if v != 0 {
			filled, last = filled+1, i
		}
	}
	if last > 256 || filled > len(sizes)/2 {
		w.flagged(uint64(len(sizes)), false)
		for _, v := range sizes {
			w.varint(uint64(v))
		}
		return
	}
	w.flagged(uint64(filled), true)
	if filled == 0 {
		return
	}
	width := bits.Len(uint(last))
	w.varint(uint64(width))
	for i, v := range sizes {
		if v != 0 {
			w.varint(uint64(v)<<width | uint64(i))
		}
	}
}

// inherent sets the inherent attributes of an operation from properties i, or the
// dictionary that such stand for where the producer didn't know the operation.
func (t *treeReader) inherent(c *cursor, s *ir.OpState, i int, n *opName) {
	if n.registered && n.spelled.Registered() {
		t.props = t.propertiesOf(c, i, n, t.props[:0])
		s.Props, s.Name = t.props, n.spelled
		return
	}
	p := &t.properties[i]
	if n.registered {
		c.failAt(p.start, "%s isn't registered, so that its properties can't be read", n.name)
		return
	}
	r := &t.decoder.props
	r.cursor = cursor{src: t.src, pos: p.start, end: p.end}
	a := r.Attr()
	d, ok := a.(*ir.DictAttr)
	if !r.ok() {
		c.adopt(r.err)
		return
	}
	switch {
	case s.Name.Registered() && ok:
		t.merged(c, s, d.Entries, p.start)
	case ok:
		s.Properties = d
	default:
		c.failAt(p.start, "the properties of %s are no dictionary", n.name)
	}
}

// merged sets attributes from a dictionary in which inherent and discardable ones are
// together.
func (f *file) merged(c *cursor, s *ir.OpState, entries []ir.NamedAttr, at int) {
	spelled := s.Name.In(f.llvm)
	for _, e := range entries {
		s.SetAttr(e.Name, spelled.Meant(e))
	}
	s.TakeEarlier(f.reads)
	for k, a := range s.Props {
		if msg := unfit(s.Name.Def(), k, a); msg != "" {
			c.failAt(at, "%s of %s", msg, s.Name)
		}
	}
}

// enumeration reads the value of an inherent attribute that is kept as a number.
func (r *Reader) enumeration(d *ir.AttrDef) ir.Attribute {
	at := r.pos
	v := r.varint()
	if r.ok() && d.Type.Enum.Keyword(v) == "" {
		r.failAt(at, "'%s' has no value %d", d.Name, v)
		return nil
	}
	return r.d.ctx.EnumAttr(d.Type.Enum, v)
}

// flag reads whether an attribute is there.
func (r *Reader) flag(d *ir.AttrDef) ir.Attribute {
	at := r.pos
	switch b := r.byte(); {
	case r.ok() && b > 1:
		r.failAt(at, "'%s' has no value %d", d.Name, b)
	case b == 1:
		return ir.Unit
	}
	return nil
}

// compareNames orders attributes by their names.
func compareNames(a, b ir.NamedAttr) int { return strings.Compare(a.Name, b.Name) }
