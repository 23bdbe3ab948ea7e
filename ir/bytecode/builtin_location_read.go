package bytecode

import (
	"errors"
	"math"

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

// readFileLineCol reads a place in a file. Such locations share the names of files.
func readFileLineCol(r *Reader) (ir.Attribute, error) {
	at := r.pos
	file := r.index("attribute", len(r.f.attrs))
	line, col := r.Varint(), r.Varint()
	if !r.OK() {
		return nil, nil
	}
	if line > math.MaxUint32 || col > math.MaxUint32 {
		return nil, errors.New("a line or column is too large")
	}
	proto := r.f.files[file]
	if proto == nil {
		name, ok := r.f.attr(&r.cursor, file).(*ir.StringAttr)
		if !r.OK() {
			return nil, nil
		}
		if !ok {
			r.failAt(at, "the name of a file is no string")
			return nil, nil
		}
		proto = ir.FileLineCol(name.Value, 0, 0)
		r.f.files[file] = proto
	}
	l := &r.f.places.Take(1)[0]
	*l = *proto
	l.Line, l.Col = uint32(line), uint32(col)
	return l, nil
}
