package bytecode

import (
	"errors"

	"freehold/internal/bitset"
	"freehold/internal/slab"
	"freehold/ir"
	"freehold/ir/asm"
)

// decoder reads attributes and types of a file, for one goroutine.
type decoder struct {
	*file
	depth   int       // of nested attributes and types
	readers []*Reader // by depth
	// openAttrs and openTypes are those that are being read.
	openAttrs, openTypes bitset.Set
	attrValues           slab.Pool[value[ir.Attribute]]
	typeValues           slab.Pool[value[ir.Type]]
	attrLists            slab.Pool[ir.Attribute]
	propertyValues       slab.Pool[propertyValue]
	props                Reader // for properties
	places               places
	// ahead says that another goroutine may have to read the same in the order of the file: what
	// depends on that order is a fault.
	ahead bool
}

// newDecoder returns a decoder for a file whose index of entries was read.
func newDecoder(f *file) *decoder {
	d := &decoder{file: f, openAttrs: bitset.New(f.attrs.len()), openTypes: bitset.New(f.types.len())}
	d.props.d = d
	return d
}

// attr returns attribute i, which is less than their number. What is wrong with it
// becomes the fault of c.
func (d *decoder) attr(c *cursor, i int) ir.Attribute {
	if v := d.attrs.values[i].Load(); v != nil && d.depth == 0 {
		return v.it
	}
	return fetch(d, c, &d.attrs, d.openAttrs, &d.attrValues, i, "attribute", asm.ParseAttr,
		func(e *Encoding) func(*Reader) (ir.Attribute, error) { return e.ReadAttr })
}

// typ is attr for types.
func (d *decoder) typ(c *cursor, i int) ir.Type {
	if v := d.types.values[i].Load(); v != nil && d.depth == 0 {
		return v.it
	}
	return fetch(d, c, &d.types, d.openTypes, &d.typeValues, i, "type", asm.ParseType,
		func(e *Encoding) func(*Reader) (ir.Type, error) { return e.ReadType })
}

// fetch returns entry i of a table. open are its entries that are being read.
func fetch[T any](d *decoder, c *cursor, t *table[T], open bitset.Set, pool *slab.Pool[value[T]], i int, what string,
	parse func(*ir.Context, string) (T, error), encoded func(*Encoding) func(*Reader) (T, error)) (none T) {
	start, end := t.bytes(i)
	v := t.values[i].Load()
	height := 1
	if v != nil {
		height = v.height
	}
	switch {
	case !c.ok():
		return none
	case open.Has(i):
		c.failAt(start, "an attribute or type contains itself")
		return none
	case d.depth+height > maxDepth:
		c.failAt(start, "attributes and types are nested deeper than %d levels", maxDepth)
		return none
	}
	if v == nil {
		dialect := t.dialect(i)
		if !dialect.known && !d.ctx.AllowUnregistered {
			c.failAt(start, "%s", unknownDialect(dialect.name))
			return none
		}
		open.Flip(i)
		r := d.push(start, end)
		var it T
		var err error
		switch {
		case t.bounds[i]&customEntry == 0:
			it, err = parse(d.ctx, textOf(&r.cursor))
		case dialect.encoding == nil || encoded(dialect.encoding) == nil:
			err = errors.New("the encoding of the " + what + "s of dialect '" + dialect.name + "' is unknown")
		default:
			it, err = encoded(dialect.encoding)(r)
		}
		if err == nil && r.ok() && any(it) == nil {
			err = errors.New("the " + what + " means nothing")
		}
		d.depth--
		switch {
		case !r.ok():
			c.adopt(r.err)
			return none
		case err != nil:
			c.failAt(start, "%s", message(err))
			return none
		}
		open.Flip(i)
		v = &pool.Take(1)[0]
		*v = value[T]{it, 1 + r.height}
		if !t.values[i].CompareAndSwap(nil, v) {
			v = t.values[i].Load()
		}
	}
	if d.depth > 0 {
		around := d.readers[d.depth-1]
		around.height = max(around.height, v.height)
	}
	return v.it
}

// push makes the reader for the next depth one for the bytes of an entry.
func (d *decoder) push(start, end int) *Reader {
	if d.depth == len(d.readers) {
		d.readers = append(d.readers, &Reader{d: d})
	}
	r := d.readers[d.depth]
	r.cursor, r.height = cursor{src: d.src, pos: start, end: end}, 0
	d.depth++
	return r
}

// message returns the text of an error without the place in a text that it names.
func message(err error) string {
	var d *ir.Diagnostic
	if errors.As(err, &d) {
		return d.Message
	}
	return err.Error()
}

// uniqueAttr returns attribute i for use as an attribute, which locations must be unique
// for.
func (d *decoder) uniqueAttr(c *cursor, i int) ir.Attribute {
	a := d.attr(c, i)
	if l, ok := a.(ir.Location); ok {
		return d.ctx.UniqueLocation(l)
	}
	return a
}

// location returns attribute i, to which the file refers at an offset, as a location.
func (d *decoder) location(c *cursor, at, i int) ir.Location {
	a := d.attr(c, i)
	l, ok := a.(ir.Location)
	if !ok && c.ok() {
		c.failAt(at, "attribute %d is no location", i)
	}
	return l
}
