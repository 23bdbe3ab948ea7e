package bytecode

import (
	"slices"
	"strings"

	"freehold/internal/slab"
	"freehold/ir"
)

// numbering gives numbers to all that operations refer to.
type numbering struct {
	ctx     *ir.Context
	version int
	llvm    int

	attrs    ranking[ir.Attribute]
	places   numberedPlaces
	file     *ir.StringAttr // the file of the last place
	types    ranking[ir.Type]
	ops      ranking[*ir.OpName]
	dialects map[string]*dialectNumber
	ordered  []*dialectNumber
	strings  map[string]uint64
	texts    []string
	layouts  map[*ir.OpName][2][]int // of inherent attributes, see layout
	open     map[*ir.Op]bool         // whose regions use values from outside
	values   ir.Numbering
	ids      []uint32 // what the numbers of values are in the file, by those in values
}

// dialectNumber is a dialect with its number and resources.
type dialectNumber struct {
	name      string
	number    int
	encoding  *Encoding
	resources []string
	handles   map[string]uint64
}

// ranked is an attribute, type or name with its number.
type ranked[T any] struct {
	value   T
	dialect *dialectNumber
	uses    int
	number  uint64
}

// ranking numbers attributes, types or names.
type ranking[T comparable] struct {
	index map[T]*ranked[T]
	items []*ranked[T]
	pool  slab.Pool[ranked[T]]
}

// add counts a use of x. It returns x if that is the first one.
func (r *ranking[T]) add(x T) *ranked[T] {
	if e := r.index[x]; e != nil {
		e.uses++
		return nil
	}
	if r.index == nil {
		r.index = map[T]*ranked[T]{}
	}
	e := r.first(x)
	r.index[x] = e
	return e
}

// first returns x as what is used once.
func (r *ranking[T]) first(x T) *ranked[T] {
	e := &r.pool.Take(1)[0]
	e.value, e.uses = x, 1
	r.items = append(r.items, e)
	return e
}

// rank gives the smallest numbers to what is used most; among those that take as many
// bytes, what belongs to one dialect is together.
func (r *ranking[T]) rank() {
	slices.SortStableFunc(r.items, func(a, b *ranked[T]) int { return b.uses - a.uses })
	rest, first, size := r.items, 0, 0
	for i := 1; len(rest) > 0; i++ {
		// Of the elements, those whose number takes i bytes.
		size = 1<<(7*min(i, 8)) - size
		same := rest[:min(size, len(rest))]
		rest = rest[len(same):]
		slices.SortStableFunc(same, func(a, b *ranked[T]) int {
			return a.dialect.rank(first) - b.dialect.rank(first)
		})
		first = same[len(same)-1].dialect.number
	}
	for i, e := range r.items {
		e.number = uint64(i)
	}
}

// rank is a dialect's number, or -1 for the one that is to come first.
func (d *dialectNumber) rank(first int) int {
	if d.number == first {
		return -1
	}
	return d.number
}

// dialect returns the dialect of that name.
func (n *numbering) dialect(name string) *dialectNumber {
	d := n.dialects[name]
	if d == nil {
		d = &dialectNumber{name: name, number: len(n.ordered), encoding: encodingOf(n.ctx, name), handles: map[string]uint64{}}
		n.dialects[name] = d
		n.ordered = append(n.ordered, d)
	}
	return d
}

// addAttr counts a use of an attribute.
func (n *numbering) addAttr(a ir.Attribute) {
	var e *ranked[ir.Attribute]
	if l, ok := a.(*ir.FileLineColLoc); ok {
		if known := n.places.get(l); known != nil {
			known.uses++
			return
		}
		e = n.attrs.first(l)
		n.places.set(l, e)
	} else if e = n.attrs.add(a); e == nil {
		return
	}
	e.dialect = n.dialect(dialectOfAttr(a))
	if x := e.dialect.encoding; x == nil || x.WriteAttr == nil || !x.WriteAttr(&Writer{n: n}, a) {
		n.addResources(e.dialect.name, a)
	}
}

// fileOf returns the name of a place's file as an attribute: mostly that of the place before.
func (n *numbering) fileOf(l *ir.FileLineColLoc) *ir.StringAttr {
	if n.file == nil || n.file.Value != l.File() {
		n.file = n.ctx.StringAttr(l.File())
	}
	return n.file
}

// addType counts a use of a type.
func (n *numbering) addType(t ir.Type) {
	e := n.types.add(t)
	if e == nil {
		return
	}
	e.dialect = n.dialect(dialectOfType(t))
	if x := e.dialect.encoding; x != nil && x.WriteType != nil {
		x.WriteType(&Writer{n: n}, t)
	}
}

// addResources finds the resources that an attribute of a dialect refers to which is
// written as text.
func (n *numbering) addResources(dialect string, a ir.Attribute) {
	switch a := a.(type) {
	case *ir.DenseResourceAttr:
		n.addResource(dialect, a.Key)
	case *ir.DialectAttr:
		for _, p := range a.Params {
			n.addResources(dialect, p)
		}
	case *ir.ArrayAttr:
		for _, e := range a.Elems {
			n.addResources(dialect, e)
		}
	case *ir.DictAttr:
		for _, e := range a.Entries {
			n.addResources(dialect, e.Value)
		}
	}
}

// addResource makes a resource of a dialect one that is used.
func (n *numbering) addResource(dialect, key string) {
	d := n.dialect(dialect)
	if _, ok := d.handles[key]; !ok {
		d.handles[key] = 0
		d.resources = append(d.resources, key)
	}
}

// addOp counts the uses of an operation's name.
func (n *numbering) addOp(name *ir.OpName) {
	if e := n.ops.add(name); e != nil {
		dialect, _, _ := strings.Cut(name.String(), ".")
		e.dialect = n.dialect(dialect)
	}
}

// finish gives the final numbers.
func (n *numbering) finish() {
	n.attrs.rank()
	n.ops.rank()
	n.types.rank()
	next := uint64(0)
	for _, d := range n.ordered {
		for _, key := range d.resources {
			d.handles[key] = next
			next++
		}
	}
}

// str returns the number of a string.
func (n *numbering) str(s string) uint64 {
	i, ok := n.strings[s]
	if !ok {
		i = uint64(len(n.texts))
		n.strings[s] = i
		n.texts = append(n.texts, s)
	}
	return i
}

// attr returns the number of an attribute.
func (n *numbering) attr(a ir.Attribute) uint64 {
	if l, ok := a.(*ir.FileLineColLoc); ok {
		return n.places.get(l).number
	}
	return n.attrs.index[a].number
}

// typ returns the number of a type.
func (n *numbering) typ(t ir.Type) uint64 { return n.types.index[t].number }

// resource returns the number of a resource.
func (n *numbering) resource(dialect, key string) uint64 { return n.dialects[dialect].handles[key] }

// value returns the number of a value.
func (n *numbering) value(v *ir.Value) uint64 { return uint64(n.ids[n.values.Value(v)]) }
