package bytecode

import (
	"io"

	"freehold/ir/asm"
)

// resourceData is the contents of the section of resources: bytes and, where they aren't
// copied, blobs.
type resourceData struct {
	pieces    [][]byte
	size      int
	alignment int // of the section
}

// add appends bytes.
func (d *resourceData) add(b []byte) {
	d.pieces = append(d.pieces, b)
	d.size += len(b)
}

// blob appends a blob.
func (d *resourceData) blob(data []byte, alignment uint32) {
	var w buffer
	w.varint(uint64(alignment))
	w.varint(uint64(len(data)))
	for alignment > 0 && (d.size+len(w.b))&int(alignment-1) != 0 {
		w.byte(padding)
	}
	d.alignment = max(d.alignment, int(alignment))
	d.add(w.b)
	d.add(data)
}

// writeTo writes what was written so far, and then the section of resources.
func (d *resourceData) writeTo(w io.Writer, out *buffer) error {
	if d.alignment <= 1 {
		out.byte(byte(resourceSection))
		out.varint(uint64(d.size))
	} else {
		out.byte(byte(resourceSection) | sectionAligned)
		out.varint(uint64(d.size))
		out.varint(uint64(d.alignment))
		for len(out.b)&(d.alignment-1) != 0 {
			out.byte(padding)
		}
	}
	if _, err := w.Write(out.b); err != nil {
		return err
	}
	for _, p := range d.pieces {
		if _, err := w.Write(p); err != nil {
			return err
		}
	}
	return nil
}

// keyedResource is a resource that is being written; nil if only its key is known.
type keyedResource struct {
	key string
	r   *asm.Resource
}

// writeResources returns the contents of the sections of resources: where they are, and
// what they are. Of those of dialects, those are written that something refers to.
func (n *numbering) writeResources(all *asm.Resources, elide bool) (index []byte, data *resourceData) {
	w, data := &buffer{}, &resourceData{}
	if all == nil {
		all = &asm.Resources{}
	}
	group := func(id uint64, list []keyedResource) {
		w.varint(id)
		w.varint(uint64(len(list)))
		for _, e := range list {
			start := data.size
			kind := blobKind
			if e.r != nil {
				kind = n.writeResource(data, e.r)
			}
			w.varint(n.str(e.key))
			w.varint(uint64(data.size - start))
			w.byte(kind)
		}
	}
	external := all.External
	if elide {
		external = nil
	}
	w.varint(uint64(len(external)))
	for i := range external {
		g := &external[i]
		var list []keyedResource
		for k := range g.Entries {
			list = append(list, keyedResource{g.Entries[k].Key, &g.Entries[k]})
		}
		group(n.str(g.Name), list)
	}
	for _, d := range n.ordered {
		if len(d.resources) == 0 {
			continue
		}
		known := map[string]*asm.Resource{}
		for i := range all.Dialect {
			if g := &all.Dialect[i]; g.Name == d.name && !elide {
				for k := range g.Entries {
					known[g.Entries[k].Key] = &g.Entries[k]
				}
			}
		}
		var list []keyedResource
		for _, key := range d.resources {
			list = append(list, keyedResource{key, known[key]})
		}
		group(uint64(d.number), list)
	}
	return w.b, data
}

// writeResource appends a resource and returns its kind.
func (n *numbering) writeResource(data *resourceData, r *asm.Resource) byte {
	switch r.Kind {
	case asm.BoolResource:
		data.add([]byte{byte(bit(r.Bool))})
		return boolKind
	case asm.StringResource:
		var w buffer
		w.varint(n.str(r.Text))
		data.add(w.b)
		return stringKind
	}
	data.blob(r.Blob, r.Alignment)
	return blobKind
}
