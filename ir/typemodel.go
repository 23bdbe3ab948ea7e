package ir

import (
	"fmt"
	"maps"
	"sync/atomic"

	"freehold/internal/slab"
)

// TypeDef says what the types of a dialect promise that have a mnemonic.
type TypeDef struct {
	// Mnemonic is how the types are spelled behind the dialect's prefix.
	Mnemonic string
	// Models implement interfaces for all types with the mnemonic; they are given the type
	// with its parameters.
	Models []Model
}

// PlainTypes returns definitions of types that promise nothing.
func PlainTypes(mnemonics ...string) []*TypeDef {
	defs := make([]*TypeDef, len(mnemonics))
	for i, m := range mnemonics {
		defs[i] = &TypeDef{Mnemonic: m}
	}
	return defs
}

// MemRefElement is implemented by types of dialects that memrefs may hold.
var MemRefElement = NewInterface[struct{}]("MemRefElementTypeInterface")

// typeName is what all types of a dialect with one mnemonic have in common in a context.
type typeName struct {
	models modelTable
	used   atomic.Bool
}

// OfType returns the type's implementation of the interface and whether it has one. Types
// that aren't a [DialectType] have none. It takes constant time.
func (i *Interface[T]) OfType(t Type) (T, bool) {
	if d, ok := t.(*DialectType); ok {
		return i.in(&d.name.models)
	}
	var zero T
	return zero, false
}

// AttachToType adds models of interfaces to what the types of a registered dialect with a
// mnemonic can do, as [Context.Attach] does for operations. It panics if the dialect isn't
// registered, if such a type was made before, or if a model of the same interface was
// attached to it already.
func (c *Context) AttachToType(dialect, mnemonic string, models ...Model) {
	if c.Dialect(dialect) == nil {
		panic(fmt.Sprintf("ir: dialect %q is not registered in this context", dialect))
	}
	n := c.typeName(dialect, mnemonic)
	c.mu.Lock()
	defer c.mu.Unlock()
	if n.used.Load() {
		panic(fmt.Sprintf("ir: models are attached to type %q after it was used", dialect+"."+mnemonic))
	}
	name := dialect + "." + mnemonic
	c.attached.add("!"+name, models)
	n.models = n.models.attached(name, models)
}

// typeName returns the handle of a dialect's types with a mnemonic.
func (c *Context) typeName(dialect, mnemonic string) *typeName {
	key := dialect + "." + mnemonic
	if n := (*c.types.Load())[key]; n != nil {
		return n
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	types := *c.types.Load()
	if n := types[key]; n != nil {
		return n
	}
	n := &typeName{}
	types = maps.Clone(types)
	types[key] = n
	c.types.Store(&types)
	return n
}

// TypeNames returns the names of all types that dialects list, such as "gpu.async.token", by dialect in the order of names, and in the dialect's order.
func (c *Context) TypeNames() []string {
	var names []string
	for _, d := range c.Dialects() {
		for _, t := range d.Types {
			names = append(names, d.Name+"."+t.Mnemonic)
		}
	}
	return names
}

// registerTypes adds the types that a dialect defines.
func (d *Dialect) registerTypes(types map[string]*typeName) {
	for _, def := range d.Types {
		if len(def.Models) == 0 {
			continue
		}
		name := d.Name + "." + def.Mnemonic
		types[name] = &typeName{models: newModelTable(name, def.Models, new(slab.Pool[uint8]))}
	}
}
