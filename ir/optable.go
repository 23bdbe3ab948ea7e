package ir

import (
	"fmt"
	"maps"
	"strings"

	"freehold/internal/slab"
)

// opTable has the operations that were loaded into a context. It is immutable: loading a dialect makes
// another one, so that operations are looked up without a lock.
type opTable struct {
	loaded map[*Dialect]bool
	named  map[string]*OpName
	byID   map[*OpID]*OpName
	others map[string]*OpName // by names in other versions
}

// dialectOf returns the registered dialect whose prefix a name has, or nil.
func (c *Context) dialectOf(name string) *Dialect {
	prefix, _, _ := strings.Cut(name, ".")
	return c.Dialect(prefix)
}

// loadFor loads the dialect of an operation of that name, if it is registered. Loading on demand is what makes a short
// program start in half the time, as most programs need few of the dialects.
func (c *Context) loadFor(name string) *opTable {
	if d := c.dialectOf(name); d != nil {
		return c.load(d)
	}
	return c.ops.Load()
}

// loadAll loads all registered dialects. Where they are, it costs nothing: programs may have many operations that no dialect knows.
func (c *Context) loadAll() *opTable {
	if t := c.ops.Load(); len(t.loaded) == len(*c.dialects.Load()) {
		return t
	}
	return c.load(c.Dialects()...)
}

// load adds the operations of dialects to the context's, once.
func (c *Context) load(dialects ...*Dialect) *opTable {
	missing := func(t *opTable) (n int) {
		for _, d := range dialects {
			if !t.loaded[d] {
				n += 1 + len(d.OpDefs())
			}
		}
		return n
	}
	if t := c.ops.Load(); missing(t) == 0 {
		return t
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.ops.Load()
	n := missing(old)
	if n == 0 {
		return old
	}
	t := old.withRoom(n)
	handles := make([]OpName, n)
	var tables slab.Pool[uint8]
	for _, d := range dialects {
		if t.loaded[d] {
			continue
		}
		t.loaded[d] = true
		for _, def := range d.OpDefs() {
			t.add(c, d, def, &handles[0], &tables)
			handles = handles[1:]
		}
		for id := range c.pending {
			if d.owns(id) && t.byID[id] == nil {
				panic(unregistered(id))
			}
		}
	}
	c.ops.Store(t)
	return t
}

// withRoom returns a copy of the table that can take n operations more.
func (t *opTable) withRoom(n int) *opTable {
	out := &opTable{
		loaded: make(map[*Dialect]bool, len(t.loaded)+1),
		named:  make(map[string]*OpName, len(t.named)+n),
		byID:   make(map[*OpID]*OpName, len(t.byID)+n),
		others: make(map[string]*OpName, len(t.others)),
	}
	maps.Copy(out.loaded, t.loaded)
	maps.Copy(out.named, t.named)
	maps.Copy(out.byID, t.byID)
	maps.Copy(out.others, t.others)
	return out
}

// add makes n the handle of an operation in the context.
func (t *opTable) add(c *Context, d *Dialect, def *OpDef, n *OpName, tables *slab.Pool[uint8]) {
	if !d.owns(def.ID) {
		panic(fmt.Sprintf("ir: operation %q is defined in dialect %q", def.ID.name, d.Name))
	}
	def = def.revised(c.llvm)
	n.id, n.name, n.dialect, n.def, n.ctx, n.index = def.ID, def.ID.name, d, def, c, len(t.byID)+1
	n.models = newModelTable(n.name, def.Models, tables)
	t.named[n.name], t.byID[n.id] = n, n
	if len(t.named) != n.index {
		panic(fmt.Sprintf("ir: operation %q is defined twice", n.name))
	}
	n.spell(t.others)
	if models := c.pending[n.id]; models != nil {
		n.attach(models)
	}
}

// unregistered is the error of a program that mentions an operation whose dialect isn't registered.
func unregistered(id *OpID) string {
	return fmt.Sprintf("ir: operation %q is not registered in this context", id.name)
}
