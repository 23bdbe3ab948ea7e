package bytecode

import (
	"freehold/ir/asm"
)

// readResources reads the resources of tools and of dialects. Blobs are parts of the file.
func (f *file) readResources() *fault {
	index, data := f.sections[resourceOffsetSection], f.sections[resourceSection]
	if index.left() == 0 {
		return nil
	}
	tools, dialects := groups{list: &f.resources.External}, groups{list: &f.resources.Dialect}
	for n := index.count("groups of resources", 2); n > 0 && index.ok(); n-- {
		if name := index.index("string", len(f.strings)); name >= 0 {
			f.resourceGroup(index, data, tools.get(f.strings[name]), false)
		}
	}
	for index.ok() && index.left() > 0 {
		if d := index.index("dialect", len(f.dialects)); d >= 0 {
			f.resourceGroup(index, data, dialects.get(f.dialects[d].name), true)
		}
	}
	if !index.ok() {
		return index.err
	}
	return data.err
}

// groups finds groups of resources by their names.
type groups struct {
	list *[]asm.ResourceGroup
	at   map[string]int
}

// get returns the group of that name, which is added if it is not there.
func (g *groups) get(name string) *asm.ResourceGroup {
	i, ok := g.at[name]
	if !ok {
		if g.at == nil {
			g.at = map[string]int{}
		}
		i = len(*g.list)
		g.at[name] = i
		*g.list = append(*g.list, asm.ResourceGroup{Name: name})
	}
	return &(*g.list)[i]
}

// resourceGroup reads the resources of a tool or dialect.
func (f *file) resourceGroup(index, data *cursor, g *asm.ResourceGroup, ofDialect bool) {
	for n := index.count("resources", 3); n > 0 && index.ok(); n-- {
		key := index.index("string", len(f.strings))
		size := index.varint()
		at := index.pos
		kind := index.byte()
		if !index.ok() {
			return
		}
		start := data.pos
		data.bytes(size)
		if !data.ok() {
			index.adopt(data.err)
			return
		}
		if ofDialect {
			f.handles = append(f.handles, f.strings[key])
			if size == 0 {
				continue // declared only
			}
			if kind != blobKind {
				index.failAt(at, "the resource of a dialect is no blob")
				return
			}
		}
		r, err := f.resource(part(f.src, start, data.pos), kind)
		if err != nil {
			index.adopt(err)
			return
		}
		r.Key = f.strings[key]
		g.Entries = append(g.Entries, r)
	}
}

// resource reads a resource of a kind.
func (f *file) resource(c *cursor, kind byte) (r asm.Resource, err *fault) {
	switch kind {
	case blobKind:
		r.Kind = asm.BlobResource
		alignment := c.varint()
		n := c.varint()
		if alignment > 1<<31 {
			c.fail("the alignment %d is too large", alignment)
		}
		if alignment > 0 {
			c.align(alignment)
		}
		r.Alignment = uint32(alignment)
		r.Blob = c.bytes(n)
	case boolKind:
		r.Kind = asm.BoolResource
		r.Bool = c.byte() != 0
	case stringKind:
		r.Kind = asm.StringResource
		if i := c.index("string", len(f.strings)); i >= 0 {
			r.Text = f.strings[i]
		}
	default:
		c.fail("there is no resource of kind %d", kind)
	}
	return r, c.err
}
