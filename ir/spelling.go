package ir

import "slices"

// Spelling is how an operation is written from some version of LLVM on, where that
// differs from its definition, which is that of LLVM 19. Programs are read in any
// spelling.
type Spelling struct {
	// Since is the first version of LLVM with this spelling.
	Since int
	// Name is the operation's name, and Format its declarative assembly format; empty
	// where they are the definition's.
	Name, Format string
	// Attrs are inherent attributes that the definition doesn't have. Those that are
	// not in Discardable only tell what optimizations may assume, and are dropped.
	Attrs []AttrDef
	// Discardable are those that the definition has among the discardable attributes.
	Discardable []string
	// Returns are operands that are results as well.
	Returns []int
}

// spell adds the later spellings of an operation to the names by which it is read.
func (n *OpName) spell(later map[string]*OpName) {
	for i := range n.def.Later {
		sp := &n.def.Later[i]
		def := *n.def
		name := n.name
		if sp.Name != "" {
			name = sp.Name
		}
		if sp.Format != "" {
			def.Format = sp.Format
		}
		def.Attrs = append(def.Attrs[:len(def.Attrs):len(def.Attrs)], sp.Attrs...)
		l := &OpName{id: n.id, name: name, dialect: n.dialect, def: &def, models: n.models, ctx: n.ctx, spelling: sp, base: n}
		n.later = append(n.later, l)
		if name != n.name {
			later[name] = l
		}
	}
}

// LaterOpName returns the handle of an operation by a name that a later version of
// LLVM gave it, or nil. Operations have the name that [OpName.Base] returns.
func (c *Context) LaterOpName(name string) *OpName { return (*c.later.Load())[name] }

// Later returns the later spellings of the operation, oldest first.
func (n *OpName) Later() []*OpName { return n.later }

// Base returns the name that operations have of which this is a later spelling.
func (n *OpName) Base() *OpName {
	if n.base != nil {
		return n.base
	}
	return n
}

// Spelling returns what is special about a later spelling; nil for others.
func (n *OpName) Spelling() *Spelling { return n.spelling }

// In returns the spelling of the operation in a version of LLVM; 0 stands for that
// of the definitions.
func (n *OpName) In(version int) *OpName {
	for i := len(n.later) - 1; i >= 0; i-- {
		if n.later[i].spelling.Since <= version {
			return n.later[i]
		}
	}
	return n
}

// Keep sets an inherent attribute that only the spelling has, if the definition has it in
// another way.
func (sp *Spelling) Keep(s *OpState, name string, a Attribute) {
	if slices.Contains(sp.Discardable, name) {
		s.SetAttr(name, a)
	}
}

// Normalize makes a state in a later spelling one of the definition.
func (s *OpState) Normalize() {
	sp := s.Name.Spelling()
	if sp == nil {
		return
	}
	s.Name = s.Name.Base()
	n := len(s.Name.Def().Attrs)
	if n >= len(s.Props) {
		return
	}
	later := s.Props[n:]
	s.Props = s.Props[:n]
	for i, a := range later {
		if a != nil {
			sp.Keep(s, sp.Attrs[i].Name, a)
		}
	}
}

// Returned returns the operands, of that many, that the results of an operation stand for
// in a later spelling; nil if there are none.
func (n *OpName) Returned(operands int) []int {
	for _, l := range n.Later() {
		if r := l.Spelling().Returns; r != nil && slices.Max(r) < operands {
			return r
		}
	}
	return nil
}

// ReturnedTypes returns the types of the results that an operation without any has in a
// later version of LLVM.
func (o *Op) ReturnedTypes(version int) []Type {
	sp := o.OpName().In(version).Spelling()
	if sp == nil || len(sp.Returns) == 0 || slices.Max(sp.Returns) >= o.NumOperands() {
		return nil
	}
	var out []Type
	for _, i := range sp.Returns {
		out = append(out, o.Operand(i).Type())
	}
	return out
}
