package bytecode

import "freehold/ir"

// numberedPlaces are the places in files that are numbered. Nearly every operation has one of its own,
// and uniquing them all to look them up by their identity would take most of the time.
type numberedPlaces struct {
	files map[string]map[uint64]*ranked[ir.Attribute]
	// name and file are what was looked at last.
	name string
	file map[uint64]*ranked[ir.Attribute]
}

// get returns what is known of a place, or nil.
func (p *numberedPlaces) get(l *ir.FileLineColLoc) *ranked[ir.Attribute] {
	p.open(l.File())
	return p.file[lineAndColumn(l)]
}

// set is called after get, for the same place.
func (p *numberedPlaces) set(l *ir.FileLineColLoc, e *ranked[ir.Attribute]) {
	p.file[lineAndColumn(l)] = e
}

func (p *numberedPlaces) open(name string) {
	if p.file != nil && p.name == name {
		return
	}
	if p.files == nil {
		p.files = map[string]map[uint64]*ranked[ir.Attribute]{}
	}
	if p.files[name] == nil {
		p.files[name] = map[uint64]*ranked[ir.Attribute]{}
	}
	p.name, p.file = name, p.files[name]
}

func lineAndColumn(l *ir.FileLineColLoc) uint64 { return uint64(l.Line)<<32 | uint64(l.Col) }
