package bytecode

import (
	"bytes"
	"strconv"
	"strings"

	"freehold/ir"
	"freehold/ir/asm"
)

// file is a file that is being read. What stands before its operations is read by one goroutine;
// then only what decoders keep in tables and properties changes, and, if one goroutine reads
// everything, names of operations.
type file struct {
	ctx      *ir.Context
	src      []byte
	version  int
	producer string
	// llvm is the version of LLVM whose definitions of operations the producer had.
	llvm     int
	sections [numSections]*cursor

	strings    []string
	dialects   []*dialectName
	ops        []*opName
	attrs      table[ir.Attribute]
	types      table[ir.Type]
	resources  asm.Resources
	handles    []string // keys of the dialects' resources
	properties []properties
}

// header reads what stands before the sections, and finds these.
func (f *file) header() *fault {
	c := part(f.src, len(magic), len(f.src))
	at := c.pos
	v := c.varint()
	if c.ok() && v > Version {
		c.failAt(at, "bytecode version %d is newer than the current version %d", v, Version)
	}
	f.version = int(v)
	f.producer = string(c.text())
	f.llvm = producerVersion(f.producer)
	for c.ok() && c.left() > 0 {
		at := c.pos
		id, contents := c.section()
		if c.ok() && f.sections[id] != nil {
			c.failAt(at, "a section of kind %d is there twice", id)
		}
		f.sections[id] = &contents
	}
	for _, id := range []sectionID{stringSection, dialectSection, entrySection, entryOffsetSection, irSection} {
		if c.ok() && f.sections[id] == nil {
			c.fail("the section of kind %d is missing", id)
		}
	}
	for id := range f.sections {
		if f.sections[id] == nil {
			f.sections[id] = part(f.src, len(f.src), len(f.src))
		}
	}
	return c.err
}

// producerVersion returns the version of LLVM in the name of a producer like MLIR19.1.7;
// that of the definitions if there is none.
func producerVersion(producer string) int {
	digits, ok := strings.CutPrefix(producer, "MLIR")
	major, _, _ := strings.Cut(digits, ".")
	if v, err := strconv.Atoi(major); ok && err == nil {
		return v
	}
	return ir.DefinedBy
}

// reads tells whether the producer may have used a spelling of an operation whose last
// version of LLVM is given; 0 if it has none.
func (f *file) reads(until int) bool { return until == 0 || f.llvm <= until }

// readStrings reads the strings, whose lengths stand in the opposite order.
func (f *file) readStrings() *fault {
	c := f.sections[stringSection]
	f.strings = make([]string, c.count("strings", 1))
	end := c.end
	starts := make([]int, len(f.strings)+1)
	for i := len(f.strings) - 1; i >= 0 && c.ok(); i-- {
		at := c.pos
		starts[i+1] = end
		n := c.varint()
		if n == 0 || end < c.pos || n > uint64(end-c.pos) {
			c.failAt(at, "a string of %d bytes doesn't end in the section", n)
			break
		}
		end -= int(n)
		if f.src[starts[i+1]-1] != 0 {
			c.failAt(at, "a string has no end")
		}
	}
	if c.ok() && end != c.pos {
		c.fail("the strings don't fill their section")
	}
	if !c.ok() || len(f.strings) == 0 {
		return c.err
	}
	starts[0] = end
	all := string(f.src[end:c.end])
	for i := range f.strings {
		f.strings[i] = all[starts[i]-end : starts[i+1]-end-1]
	}
	return nil
}

// dialectName is a dialect of a file.
type dialectName struct {
	name     string
	encoding *Encoding // nil if it has none
	known    bool      // it is registered
}

// opName is the name of an operation of a file.
type opName struct {
	dialect *dialectName
	name    string // with that of the dialect
	// registered tells whether the producer knew the operation, so that its properties are
	// encoded as the definition says.
	registered bool
	// spelled is the name in the producer's spelling; base is the one that the operation
	// gets.
	spelled, base *ir.OpName
	unknown       string // what is wrong if the operation is there
	upgraded      bool   // it may be that of another version of LLVM, and has to be upgraded
	// encoded lists the inherent attributes in the order in which they are encoded, and
	// sizes those with the sizes of groups that follow; see [file.layout].
	encoded, sizes []int
}

// readDialects reads the names of dialects and operations.
func (f *file) readDialects() *fault {
	c := f.sections[dialectSection]
	n := c.count("dialects", 1)
	for i := 0; i < n && c.ok(); i++ {
		var name int
		if f.version < dialectVersions {
			name = c.index("string", len(f.strings))
		} else {
			at := c.pos
			id, versioned := c.flagged()
			name = c.checkIndex(at, id, "string", len(f.strings))
			if versioned {
				c.section() // that of builtin has none, and no other dialect here has versions
			}
		}
		if !c.ok() {
			break
		}
		d := &dialectName{name: f.strings[name]}
		d.encoding, d.known = encodingOf(f.ctx, d.name), f.ctx.Dialect(d.name) != nil
		f.dialects = append(f.dialects, d)
	}
	if f.version >= elidedLocations {
		f.ops = make([]*opName, 0, c.count("operation names", 1))
	}
	for c.ok() && c.left() > 0 {
		d := c.index("dialect", len(f.dialects))
		for n := c.count("operation names", 1); n > 0 && c.ok(); n-- {
			at := c.pos
			id, registered := c.varint(), true
			if f.version >= nativeProperties {
				id, registered = id>>1, id&1 != 0
			}
			if s := c.checkIndex(at, id, "string", len(f.strings)); s >= 0 {
				name := f.dialects[d].name
				if rest := f.strings[s]; rest != "" {
					name += "." + rest
				}
				o := &opName{dialect: f.dialects[d], name: name, registered: registered}
				f.resolve(o)
				f.ops = append(f.ops, o)
			}
		}
	}
	return c.err
}

// unknownDialect is the message about a dialect that isn't registered.
func unknownDialect(name string) string {
	return "dialect '" + name + "' is unknown. If this is intended, please use -allow-unregistered-dialect"
}

// resolve finds out which operation is meant.
func (f *file) resolve(o *opName) {
	n := f.ctx.OpName(o.name)
	var l *ir.OpName
	if n == nil {
		l = f.ctx.OtherOpName(o.name)
	}
	switch {
	case n != nil:
		o.base, o.spelled = n, n.In(f.llvm)
	case l != nil:
		o.base, o.spelled = l.Base(), l
	case !o.dialect.known && !f.ctx.AllowUnregistered:
		o.unknown = unknownDialect(o.dialect.name)
		return
	default:
		o.base = f.ctx.UnregisteredOpName(o.name)
		o.spelled = o.base
	}
	o.encoded, o.sizes = layout(o.spelled, f.version)
	for _, e := range o.base.Upgraded() {
		o.upgraded = o.upgraded || f.reads(e.Spelling().Until)
	}
}

// text returns the text of an entry without the zero at its end.
func textOf(c *cursor) string { return string(bytes.TrimSuffix(c.src[c.pos:c.end], []byte{0})) }
