package asm

import (
	"encoding/binary"
	"encoding/hex"

	"freehold/ir"
)

// Document is a module with what the textual format keeps beside it.
type Document struct {
	Module *ir.Op
	// Resources is nil if the source has none.
	Resources *Resources
}

// Resources is the metadata in {-# ... #-} at the end of a file.
type Resources struct {
	// Dialect holds the blobs that attributes refer to by dense_resource<key>, a
	// group a dialect. External holds the data of other tools.
	Dialect, External []ResourceGroup
}

// ResourceGroup is the resources of one dialect or tool, in the order of the
// source.
type ResourceGroup struct {
	Name    string
	Entries []Resource
}

// Resource is a key with its value.
type Resource struct {
	Key  string
	Kind ResourceKind
	// Text is a string's contents.
	Text string
	Bool bool
	// Blob is the contents of a blob, and Alignment, 0 or a power of two, says how it is to
	// be placed in memory.
	Blob      []byte
	Alignment uint32
}

// ResourceKind is the kind of a resource's value.
type ResourceKind uint8

// The kinds of resources.
const (
	BlobResource ResourceKind = iota
	StringResource
	BoolResource
)

func (k ResourceKind) String() string { return [...]string{"blob", "string", "bool"}[k] }

// printResources writes {-# ... #-} with the external resources and those of the
// dialects' that were referred to.
func (p *Printer) printResources(r *Resources) {
	if r == nil {
		return
	}
	limit := p.opts.ElideResourcesLargerThan
	w := p.w
	open := false
	section := func(name string, groups []ResourceGroup, keep func(e *Resource) bool) {
		first := true
		for gi := range groups {
			g := &groups[gi]
			any := false
			for i := range g.Entries {
				e := &g.Entries[i]
				if !keep(e) {
					continue
				}
				switch {
				case any:
					w.Text(",\n")
				case !first:
					w.Text(",\n    ")
				case open:
					w.Text(",\n  " + name + ": {\n    ")
				default:
					w.Text("\n{-#\n  " + name + ": {\n    ")
				}
				if !any {
					w.KeywordOrString(g.Name)
					w.Text(": {\n")
				}
				any, first, open = true, false, true
				w.Text("      ")
				w.KeywordOrString(e.Key)
				w.Text(": ")
				switch e.Kind {
				case BoolResource:
					if e.Bool {
						w.Text("true")
					} else {
						w.Text("false")
					}
				case BlobResource:
					e.writeBlob(w)
				default:
					w.Quoted(e.Text)
				}
			}
			if any {
				w.Text("\n    }")
			}
		}
		if !first {
			w.Text("\n  }")
		}
	}
	elided := false
	small := func(e *Resource) bool {
		if limit <= 0 || e.Kind == BoolResource || e.textLen() <= limit {
			return true
		}
		elided = true
		return false
	}
	section("dialect_resources", r.Dialect, func(e *Resource) bool { return p.usedResources[e.Key] && small(e) })
	section("external_resources", r.External, small)
	switch {
	case open:
		w.Text("\n#-}\n")
	case elided:
		w.Text("\n{-#\n\n#-}\n")
	}
}

// alignmentBytes is how many bytes of the text of a blob say how it is aligned.
const alignmentBytes = 4

// textLen returns the length of the text of a string or blob.
func (e *Resource) textLen() int {
	n := len(`""`) + len(e.Text)
	if e.Kind == BlobResource {
		n += len("0x") + 2*(alignmentBytes+len(e.Blob))
	}
	return n
}

// writeBlob writes a blob, after its alignment, in hexadecimal.
func (e *Resource) writeBlob(w *ir.Writer) {
	w.Text(`"0x`)
	start := len(w.Buf)
	w.Buf = hex.AppendEncode(w.Buf, binary.LittleEndian.AppendUint32(nil, e.Alignment))
	w.Buf = hex.AppendEncode(w.Buf, e.Blob)
	upper(w.Buf[start:])
	w.Byte('"')
}

// upper makes letters large.
func upper(b []byte) {
	for i, c := range b {
		if c >= 'a' {
			b[i] = c - 'a' + 'A'
		}
	}
}

// setBlob sets the contents and alignment that the bytes of a blob's text say. Without contents
// there is no alignment, as in mlir-opt.
func (e *Resource) setBlob(data []byte) {
	e.Kind = BlobResource
	if len(data) > alignmentBytes {
		e.Alignment, e.Blob = binary.LittleEndian.Uint32(data), data[alignmentBytes:]
	}
}
