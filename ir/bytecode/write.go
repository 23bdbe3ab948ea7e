package bytecode

import (
	"cmp"
	"fmt"
	"io"

	"freehold/ir"
	"freehold/ir/asm"
)

// Options says how a program is written.
type Options struct {
	// Version is the version of the format, from [MinVersion] to [Version].
	Version int
	// LLVM is the major version of LLVM whose operations are written; 0 stands for that
	// of the definitions.
	LLVM int
	// Producer is the name of what writes the file, by which some readers go; empty for that of freehold, with the version of LLVM.
	Producer string
	// ElideResources leaves out the data of resources.
	ElideResources bool
}

// producer is what writes bytecode. Other tools only show it; [Read] takes from it
// which version of LLVM operations are of.
func producer(llvm int) string { return fmt.Sprintf("MLIR%d.freehold", llvm) }

// Write writes a program. Programs that are equal, with equal locations, have equal
// bytecode. The order of uses is kept, so the hints of uses ([ir.Use.Hint]) are
// overwritten.
func Write(w io.Writer, d *asm.Document, o Options) error {
	if o.Version < MinVersion || o.Version > Version {
		return ir.Errorf(d.Module.Loc(), "unsupported version requested %d, must be in range [%d, %d]", o.Version, MinVersion, Version)
	}
	if o.LLVM == 0 {
		o.LLVM = ir.DefinedBy
	}
	n := &numbering{ctx: d.Module.Context(), version: o.Version, llvm: o.LLVM,
		dialects: map[string]*dialectNumber{}, strings: map[string]uint64{}, open: map[*ir.Op]bool{}, layouts: map[*ir.OpName][2][]int{}}
	n.number(d.Module)
	n.finish()

	var out buffer
	out.b = append(out.b, magic...)
	out.varint(uint64(o.Version))
	out.text([]byte(cmp.Or(o.Producer, producer(o.LLVM))))
	out.section(dialectSection, n.writeDialects())
	offsets, entries := n.writeEntries()
	out.section(entryOffsetSection, offsets)
	out.section(entrySection, entries)
	t := &treeWriter{numbering: n, properties: map[string]uint64{}}
	out.section(irSection, t.tree(d.Module))
	index, data := n.writeResources(d.Resources, o.ElideResources)
	out.section(resourceOffsetSection, index)
	if err := data.writeTo(w, &out); err != nil {
		return err
	}
	var rest buffer
	rest.section(stringSection, n.writeStrings())
	if o.Version >= nativeProperties {
		rest.section(propertySection, t.writeProperties())
	}
	_, err := w.Write(rest.b)
	return err
}

// writeStrings returns the contents of the section of strings.
func (n *numbering) writeStrings() []byte {
	var w buffer
	w.varint(uint64(len(n.texts)))
	for i := len(n.texts) - 1; i >= 0; i-- {
		w.varint(uint64(len(n.texts[i]) + 1))
	}
	for _, s := range n.texts {
		w.b = append(w.b, s...)
		w.b = append(w.b, 0)
	}
	return w.b
}

// writeGroups writes items, those of one dialect that follow each other as a group.
func writeGroups[T any](w *buffer, items []*ranked[T], write func(e *ranked[T])) {
	for i := 0; i < len(items); {
		j := i
		for j < len(items) && items[j].dialect == items[i].dialect {
			j++
		}
		w.varint(uint64(items[i].dialect.number))
		w.varint(uint64(j - i))
		for ; i < j; i++ {
			write(items[i])
		}
	}
}

// writeDialects returns the contents of the section of dialects.
func (n *numbering) writeDialects() []byte {
	var w buffer
	w.varint(uint64(len(n.ordered)))
	for _, d := range n.ordered {
		if n.version < dialectVersions {
			w.varint(n.str(d.name))
		} else {
			w.flagged(n.str(d.name), false)
		}
	}
	if n.version >= elidedLocations {
		w.varint(uint64(len(n.ops.items)))
	}
	writeGroups(&w, n.ops.items, func(e *ranked[*ir.OpName]) {
		name := e.value.String()[min(len(e.dialect.name)+1, len(e.value.String())):]
		if n.version < nativeProperties {
			w.varint(n.str(name))
		} else {
			w.flagged(n.str(name), e.value.Registered())
		}
	})
	return w.b
}

// writeEntries returns the contents of the sections of attributes and types.
func (n *numbering) writeEntries() (offsets, entries []byte) {
	var index, data buffer
	w := &Writer{n: n, out: &data}
	text := ir.NewWriter()
	size := 0
	done := func(encoded bool) {
		if !encoded {
			data.text(text.Buf)
			text.Buf = text.Buf[:0]
		}
		index.flagged(uint64(len(data.b)-size), encoded)
		size = len(data.b)
	}
	index.varint(uint64(len(n.attrs.items)))
	index.varint(uint64(len(n.types.items)))
	writeGroups(&index, n.attrs.items, func(e *ranked[ir.Attribute]) {
		x := e.dialect.encoding
		encoded := x != nil && x.WriteAttr != nil && x.WriteAttr(w, e.value)
		if !encoded {
			text.Attr(e.value)
		}
		done(encoded)
	})
	writeGroups(&index, n.types.items, func(e *ranked[ir.Type]) {
		x := e.dialect.encoding
		encoded := x != nil && x.WriteType != nil && x.WriteType(w, e.value)
		if !encoded {
			text.Type(e.value)
		}
		done(encoded)
	})
	return index.b, data.b
}
