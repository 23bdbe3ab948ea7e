package ir

// Location says where an operation comes from. Locations are attributes; unlike
// other attributes those that the parser makes for source positions are not
// uniqued, so compare them with [SameLocation].
type Location interface {
	Attribute
	isLocation()
}

type locBase struct{ attrBase }

func (*locBase) isLocation() {}

// UnknownLoc is loc(unknown).
type UnknownLoc struct{ locBase }

// Unknown is the unknown location of all contexts.
var Unknown = &UnknownLoc{locBase{attrBase{uniq{id: 33, flags: mayAlias}}}}

// FileLineColLoc is loc("File":Line:Col).
type FileLineColLoc struct {
	locBase
	file      *string // shared: most locations are of one file
	Line, Col uint32
}

// File returns the name of the file.
func (l *FileLineColLoc) File() string { return *l.file }

// NameLoc is loc("Name"(Child)).
type NameLoc struct {
	locBase
	Name  string
	Child Location
}

// FusedLoc is loc(fused<Metadata>[Locs...]); Metadata may be nil.
type FusedLoc struct {
	locBase
	Locs     []Location
	Metadata Attribute
}

// CallSiteLoc is loc(callsite(Callee at Caller)).
type CallSiteLoc struct {
	locBase
	Callee, Caller Location
}

func locFlags() locBase { return locBase{attrFlags(mayAlias)} }

// FileLineCol returns a location that is not uniqued.
func FileLineCol(file string, line, col uint32) *FileLineColLoc {
	return &FileLineColLoc{locBase: locFlags(), file: &file, Line: line, Col: col}
}

// FileLineColLoc returns the uniqued loc("file":line:col).
func (c *Context) FileLineColLoc(file string, line, col uint32) *FileLineColLoc {
	k := newKey(kFileLineCol)
	k.str(file)
	k.uint(uint64(line))
	k.uint(uint64(col))
	return c.uniquer.get(k, func() uniqued { return FileLineCol(file, line, col) }).(*FileLineColLoc)
}

// UniqueLocation returns the uniqued location that is equal to l. A location that
// is used as an attribute must be uniqued.
func (c *Context) UniqueLocation(l Location) Location {
	switch l := l.(type) {
	case *FileLineColLoc:
		return c.FileLineColLoc(l.File(), l.Line, l.Col)
	case *UnknownLoc:
		c.uniquer.aliases.Store(true)
	}
	return l
}

// NameLoc returns loc("name"(child)); child may be Unknown.
func (c *Context) NameLoc(name string, child Location) *NameLoc {
	child = c.UniqueLocation(child)
	k := newKey(kNameLoc)
	k.str(name)
	k.attr(child)
	return c.uniquer.get(k, func() uniqued { return &NameLoc{locFlags(), name, child} }).(*NameLoc)
}

// FusedLoc returns loc(fused<metadata>[locs...]); metadata may be nil.
func (c *Context) FusedLoc(locs []Location, metadata Attribute) *FusedLoc {
	ls := make([]Location, len(locs))
	k := newKey(kFusedLoc)
	k.attr(metadata)
	for i, l := range locs {
		ls[i] = c.UniqueLocation(l)
		k.attr(ls[i])
	}
	return c.uniquer.get(k, func() uniqued { return &FusedLoc{locFlags(), ls, metadata} }).(*FusedLoc)
}

// CallSiteLoc returns loc(callsite(callee at caller)).
func (c *Context) CallSiteLoc(callee, caller Location) *CallSiteLoc {
	callee, caller = c.UniqueLocation(callee), c.UniqueLocation(caller)
	k := newKey(kCallSiteLoc)
	k.attr(callee)
	k.attr(caller)
	return c.uniquer.get(k, func() uniqued { return &CallSiteLoc{locFlags(), callee, caller} }).(*CallSiteLoc)
}

// SameLocation tells whether two locations are equal.
func SameLocation(a, b Location) bool {
	if a == b {
		return true
	}
	x, ok1 := a.(*FileLineColLoc)
	y, ok2 := b.(*FileLineColLoc)
	return ok1 && ok2 && x.File() == y.File() && x.Line == y.Line && x.Col == y.Col
}

// SourcePos returns the file position that best stands for a location in a
// message, and whether there is one: the first in the order of its spelling.
func SourcePos(l Location) (*FileLineColLoc, bool) {
	var found *FileLineColLoc
	WalkLocation(l, func(l Location) bool {
		found, _ = l.(*FileLineColLoc)
		return found == nil
	})
	return found, found != nil
}

// WalkLocation calls fn for a location and those in it, each once, in the order of
// their spelling, until fn returns false. Metadata of fused locations is left out.
// It returns whether fn never did.
func WalkLocation(l Location, fn func(Location) bool) bool {
	return walkLocation(l, fn, nil)
}

// walkLocation is WalkLocation; seen holds the locations with several parts that
// were met, since such locations may share parts. It is made where it is needed.
func walkLocation(l Location, fn func(Location) bool, seen map[Location]bool) bool {
	if !fn(l) {
		return false
	}
	switch l := l.(type) {
	case *NameLoc:
		return walkLocation(l.Child, fn, seen)
	case *CallSiteLoc, *FusedLoc:
		if seen == nil {
			seen = map[Location]bool{}
		}
		if seen[l] {
			return true
		}
		seen[l] = true
		if c, ok := l.(*CallSiteLoc); ok {
			return walkLocation(c.Callee, fn, seen) && walkLocation(c.Caller, fn, seen)
		}
		for _, x := range l.(*FusedLoc).Locs {
			if !walkLocation(x, fn, seen) {
				return false
			}
		}
	}
	return true
}
