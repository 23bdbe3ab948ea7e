package bytecode

import (
	"errors"
	"math"

	"freehold/internal/slab"
	"freehold/ir"
)

// readLocation reads a location.
func readLocation(r *Reader, code uint64) (ir.Attribute, error) {
	c := r.Context()
	switch code {
	case callSiteCode:
		callee, caller := r.location(), r.location()
		if !r.OK() {
			return nil, nil
		}
		return c.CallSiteLoc(callee, caller), nil
	case fileLineColCode:
		return readFileLineCol(r)
	case fusedCode, fusedMetadataCode:
		locs := make([]ir.Location, r.Len())
		for i := range locs {
			locs[i] = r.location()
		}
		var metadata ir.Attribute
		if code == fusedMetadataCode {
			metadata = r.Attr()
		}
		if !r.OK() {
			return nil, nil
		}
		return c.FusedLoc(locs, metadata), nil
	case nameCode:
		name := r.stringAttr()
		child := r.location()
		if !r.OK() {
			return nil, nil
		}
		return c.NameLoc(name, child), nil
	}
	return ir.Unknown, nil
}

// places makes the locations that are places in files. Such of the same file share its name.
type places struct {
	files map[int]*ir.FileLineColLoc // by the number of the attribute with the name
	pool  slab.Pool[ir.FileLineColLoc]
	// last is the location that was made last for an operation or block argument, and number
	// that of its attribute.
	last   *ir.FileLineColLoc
	number int
}

func (p *places) make(file *ir.FileLineColLoc, line, col uint64) *ir.FileLineColLoc {
	l := &p.pool.Take(1)[0]
	*l = *file
	l.Line, l.Col = uint32(line), uint32(col)
	return l
}

// readFileLineCol reads a place in a file.
func readFileLineCol(r *Reader) (ir.Attribute, error) {
	at := r.pos
	file := r.index("attribute", r.d.attrs.len())
	line, col := r.Varint(), r.Varint()
	if !r.OK() {
		return nil, nil
	}
	if max(line, col) > math.MaxUint32 {
		return nil, errors.New("a line or column is too large")
	}
	p := &r.d.places
	proto := p.files[file]
	if proto == nil {
		name, ok := r.d.attr(&r.cursor, file).(*ir.StringAttr)
		if !r.OK() {
			return nil, nil
		}
		if !ok {
			r.failAt(at, "the name of a file is no string")
			return nil, nil
		}
		proto = ir.FileLineCol(name.Value, 0, 0)
		if p.files == nil {
			p.files = map[int]*ir.FileLineColLoc{}
		}
		p.files[file] = proto
	}
	return p.make(proto, line, col), nil
}

// place is location for an operation or block argument. Nearly each has a place of its own, which
// is not kept for others.
func (d *decoder) place(c *cursor, at, i int) ir.Location {
	p := &d.places
	if p.last != nil && p.number == i {
		return p.last
	}
	if d.attrs.bounds[i]&builtinEntry != 0 {
		start, end := d.attrs.bytes(i)
		r := cursor{src: d.src, pos: start, end: end}
		if r.varint() == fileLineColCode {
			file, line, col := r.varint(), r.varint(), r.varint()
			if proto := p.files[int(file)]; proto != nil && r.ok() && max(line, col) <= math.MaxUint32 {
				p.last, p.number = p.make(proto, line, col), i
				return p.last
			}
		}
	}
	return d.location(c, at, i)
}
