package bytecode

import (
	"errors"

	"freehold/ir"
	"freehold/ir/asm"
)

// entry is an attribute or type of a file.
type entry[T any] struct {
	start, end int
	dialect    *dialectName
	custom     bool // in the dialect's encoding, and not as text
	state      entryState
	value      T
}

// entryState tells how far an entry has been read. Entries are read when they are needed.
type entryState uint8

const (
	unread entryState = iota
	reading
	read
)

// readEntries reads where attributes and types start.
func (f *file) readEntries() *fault {
	c, data := f.sections[entryOffsetSection], f.sections[entrySection]
	attrs := c.count("attributes", 1)
	types := c.count("types", 1)
	f.attrs = make([]entry[ir.Attribute], attrs)
	f.types = make([]entry[ir.Type], types)
	at := data.pos
	readGroups(f, c, f.attrs, &at, data.end)
	readGroups(f, c, f.types, &at, data.end)
	return c.err
}

// readGroups reads groups of entries of one dialect each; at is where the next one starts.
func readGroups[T any](f *file, c *cursor, entries []entry[T], at *int, end int) {
	for i := 0; i < len(entries) && c.ok(); {
		d := c.index("dialect", len(f.dialects))
		group := c.count("entries", 1)
		if c.ok() && (group > len(entries)-i || group == 0) {
			c.fail("a group has %d entries where %d are missing", group, len(entries)-i)
		}
		for ; group > 0 && c.ok(); group-- {
			size, custom := c.flagged()
			if size > uint64(end-*at) {
				c.fail("an entry of %d bytes doesn't end in its section", size)
				return
			}
			entries[i] = entry[T]{start: *at, end: *at + int(size), dialect: f.dialects[d], custom: custom}
			*at += int(size)
			i++
		}
	}
}

// attr returns attribute i, which is less than their number. What is wrong with it
// becomes the fault of c.
func (f *file) attr(c *cursor, i int) ir.Attribute {
	e := &f.attrs[i]
	if e.state == read || !f.open(c, e.start, e.end, e.dialect, &e.state) {
		return e.value
	}
	r := f.readers[f.depth-1]
	var err error
	switch {
	case !e.custom:
		e.value, err = asm.ParseAttr(f.ctx, textOf(&r.cursor))
	case e.dialect.encoding == nil || e.dialect.encoding.ReadAttr == nil:
		err = errors.New("the encoding of the attributes of dialect '" + e.dialect.name + "' is unknown")
	default:
		e.value, err = e.dialect.encoding.ReadAttr(r)
	}
	if err == nil && r.ok() && e.value == nil {
		err = errors.New("the attribute means nothing")
	}
	f.close(c, e.start, &e.state, err)
	return e.value
}

// typ is attr for types.
func (f *file) typ(c *cursor, i int) ir.Type {
	e := &f.types[i]
	if e.state == read || !f.open(c, e.start, e.end, e.dialect, &e.state) {
		return e.value
	}
	r := f.readers[f.depth-1]
	var err error
	switch {
	case !e.custom:
		e.value, err = asm.ParseType(f.ctx, textOf(&r.cursor))
	case e.dialect.encoding == nil || e.dialect.encoding.ReadType == nil:
		err = errors.New("the encoding of the types of dialect '" + e.dialect.name + "' is unknown")
	default:
		e.value, err = e.dialect.encoding.ReadType(r)
	}
	if err == nil && r.ok() && e.value == nil {
		err = errors.New("the type means nothing")
	}
	f.close(c, e.start, &e.state, err)
	return e.value
}

// open makes the reader for the next depth one for the bytes of an entry. It returns
// false if these can't be read.
func (f *file) open(c *cursor, start, end int, d *dialectName, state *entryState) bool {
	switch {
	case !c.ok():
		return false
	case *state == reading:
		c.failAt(start, "an attribute or type contains itself")
		return false
	case f.depth >= maxDepth:
		c.failAt(start, "attributes and types are nested deeper than %d levels", maxDepth)
		return false
	case !d.known && !f.ctx.AllowUnregistered:
		c.failAt(start, "%s", unknownDialect(d.name))
		return false
	}
	*state = reading
	if f.depth == len(f.readers) {
		f.readers = append(f.readers, &Reader{f: f})
	}
	f.readers[f.depth].cursor = cursor{src: f.src, pos: start, end: end}
	f.depth++
	return true
}

// close ends what open began, with the error of the dialect's encoding.
func (f *file) close(c *cursor, start int, state *entryState, err error) {
	f.depth--
	r := f.readers[f.depth]
	switch {
	case !r.ok():
		c.adopt(r.err)
	case err != nil:
		c.failAt(start, "%s", message(err))
	default:
		*state = read
	}
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
func (f *file) uniqueAttr(c *cursor, i int) ir.Attribute {
	a := f.attr(c, i)
	if l, ok := a.(ir.Location); ok {
		return f.ctx.UniqueLocation(l)
	}
	return a
}

// location returns attribute i, to which the file refers at an offset, as a location.
func (f *file) location(c *cursor, at, i int) ir.Location {
	a := f.attr(c, i)
	l, ok := a.(ir.Location)
	if !ok && c.ok() {
		c.failAt(at, "attribute %d is no location", i)
	}
	return l
}
