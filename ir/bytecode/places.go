package bytecode

import "freehold/ir"

// numberedPlaces are the places in files that are numbered. Nearly every operation has one of its own,
// and uniquing them all to look them up by their identity would take most of the time.
type numberedPlaces struct {
	files map[string]*placesInFile
	// name and file are what was looked at last.
	name string
	file *placesInFile
}

// placesInFile are those in one file.
type placesInFile struct {
	// lines has one place of each of the first lines, without an attribute where there is none.
	lines []placeInLine
	// others are the other ones, by line and column.
	others map[uint64]*ranked[ir.Attribute]
	n      int
	// far tells that others has places behind the lines, which are not extended then.
	far bool
}

// Lines are looked up by their number up to firstLines, and mostLines for each place.
const (
	firstLines = 1 << 12
	mostLines  = 32
)

type placeInLine struct {
	col  uint32
	attr *ranked[ir.Attribute]
}

// get returns what is known of a place, or nil.
func (p *numberedPlaces) get(l *ir.FileLineColLoc) *ranked[ir.Attribute] {
	f := p.in(l.File())
	if int64(l.Line) < int64(len(f.lines)) {
		if x := &f.lines[l.Line]; x.attr == nil || x.col == l.Col {
			return x.attr
		}
	}
	return f.others[lineAndColumn(l)]
}

// set is called after get, for the same place.
func (p *numberedPlaces) set(l *ir.FileLineColLoc, e *ranked[ir.Attribute]) {
	f := p.file
	f.n++
	if line := int64(l.Line); line < int64(len(f.lines)) {
		if f.lines[line].attr == nil {
			f.lines[line] = placeInLine{l.Col, e}
			return
		}
	} else if line < mostLines*int64(f.n)+firstLines && !f.far {
		for int64(len(f.lines)) < line {
			f.lines = append(f.lines, placeInLine{})
		}
		f.lines = append(f.lines, placeInLine{l.Col, e})
		return
	} else {
		f.far = true
	}
	f.others[lineAndColumn(l)] = e
}

func (p *numberedPlaces) in(name string) *placesInFile {
	if p.file != nil && p.name == name {
		return p.file
	}
	if p.files == nil {
		p.files = map[string]*placesInFile{}
	}
	f := p.files[name]
	if f == nil {
		f = &placesInFile{others: map[uint64]*ranked[ir.Attribute]{}}
		p.files[name] = f
	}
	p.name, p.file = name, f
	return f
}

func lineAndColumn(l *ir.FileLineColLoc) uint64 { return uint64(l.Line)<<32 | uint64(l.Col) }
