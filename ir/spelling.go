package ir

import (
	"slices"
	"strings"
)

// Spelling is how an operation is written in some versions of LLVM, where that differs
// from its definition, which is that of LLVM 19. Programs are read in any spelling, and
// are printed in later ones where that is asked for.
type Spelling struct {
	// Since is the first version of LLVM with this spelling, and Until the last one: a
	// later spelling has the former, an earlier one the latter.
	Since, Until int
	// Name is the operation's name, and Format its declarative assembly format; empty
	// where they are the definition's.
	Name, Format string
	// Attrs are inherent attributes that the definition doesn't have, or has with
	// another constraint. Those that are new, and neither in Discardable nor in Renamed,
	// only tell what optimizations may assume, and are dropped.
	Attrs []AttrDef
	// Without are attributes of the operation that the spelling doesn't have: inherent ones of the definition, or discardable ones that
	// something else stands for.
	Without []string
	// Discardable are those that the definition has among the discardable attributes.
	Discardable []string
	// Renamed gives the names in the definition of those that have another one there.
	Renamed map[string]string
	// Operands and Results are those of the spelling where they aren't the definition's: nil where they are. The
	// type rules of the definition don't hold for them.
	Operands []OperandDef
	Results  []ResultDef
	// Spelled returns the inherent attributes that only the spelling has, of what the
	// operation has in their place: the generic form writes them. May be nil.
	Spelled func(op *Op) []NamedAttr
	// Values are the inherent attributes whose values mean something else there. As which
	// of the two a program has them can't be seen, so that they are read only where the
	// version is asked for.
	Values map[string]Recoding
	// Implied are attributes that all operations in this spelling have, though it doesn't
	// spell them. May be nil.
	Implied func(c *Context) []NamedAttr
	// TypeRules relate types besides those of the definition, where the spelling says less.
	TypeRules []TypeRule
	// Returns are operands that are results as well; ReturnsAll says that all are.
	Returns    []int
	ReturnsAll bool
	// Upgrade makes a state that was read, and may be that of an earlier version, one of
	// the definition. It leaves alone what it doesn't know. What it creates comes before
	// the operation, and it may make the state that of another operation. May be nil.
	Upgrade func(b *Builder, s *OpState) error
	// Replace puts others in the place of an operation that a later version doesn't have
	// as it is; see [ReplaceFor]. It may leave the operation alone. May be nil.
	Replace func(b *Builder, op *Op)
}

// WithNames returns definitions, of which those that are in names are also read by these names, which LLVM had up to a version.
func WithNames(ops []*OpDef, until int, names map[*OpID][]string) []*OpDef {
	out := make([]*OpDef, len(ops))
	for i, def := range ops {
		out[i] = def
		earlier := def.Earlier
		for _, name := range names[def.ID] {
			earlier = append(earlier[:len(earlier):len(earlier)], Spelling{Until: until, Name: name})
		}
		if len(earlier) > len(def.Earlier) {
			out[i] = def.With(OpDef{Earlier: earlier})
		}
	}
	return out
}

// Recoding tells what values of an attribute are in another version of LLVM. Values that
// one of the two doesn't have stay as they are.
type Recoding struct {
	// Read returns the value of the definition for one of the spelling, and Printed that
	// of the spelling for one of the definition.
	Read, Printed func(c *Context, a Attribute) Attribute
}

// ReplaceFor replaces the operations in root that a later version of LLVM doesn't have by
// others that mean the same, so that the program can be printed for it. It takes linear
// time.
func ReplaceFor(root *Op, version int) {
	b := NewBuilder(root.Context())
	root.WalkPostOrder(func(op *Op) {
		sp := op.OpName().In(version).Spelling()
		if sp == nil || sp.Replace == nil || op.Block() == nil {
			return
		}
		b.SetBefore(op)
		b.Loc = op.Loc()
		sp.Replace(b, op)
	})
}

// ReplacedFor returns root as [ReplaceFor] makes it, and leaves root as it is: what it
// returns is a copy if there is anything to replace. An operation that uses values from
// outside is returned itself. It takes linear time.
func ReplacedFor(root *Op, version int) *Op {
	if root.NumOperands() > 0 || !replaces(root, version) {
		return root
	}
	c := CloneDetached(root)
	ReplaceFor(c, version)
	return c
}

// replaces tells whether a later version of LLVM may not have all operations in root.
func replaces(root *Op, version int) bool {
	found := false
	root.Walk(func(op *Op) bool {
		sp := op.OpName().In(version).Spelling()
		found = found || sp != nil && sp.Replace != nil
		return !found
	})
	return found
}

// spell adds the other spellings of an operation to the names by which it is read.
func (n *OpName) spell(others map[string]*OpName) {
	for i := range n.def.Later {
		n.later = append(n.later, n.spelled(&n.def.Later[i], others))
	}
	for i := range n.def.Earlier {
		n.earlier = append(n.earlier, n.spelled(&n.def.Earlier[i], others))
	}
}

// Upgraded returns the spellings that have an Upgrade.
func (n *OpName) Upgraded() []*OpName { return n.upgraded }

// spelled makes the handle of an operation in a spelling.
func (n *OpName) spelled(sp *Spelling, others map[string]*OpName) *OpName {
	def := *n.def
	name := n.name
	if sp.Name != "" {
		name = sp.Name
	}
	if sp.Format != "" {
		def.Format = sp.Format
	}
	def.Attrs = slices.Clone(def.Attrs)
	for _, a := range sp.Attrs {
		if i := n.def.AttrIndex(a.Name); i >= 0 {
			def.Attrs[i] = a
		} else {
			def.Attrs = append(def.Attrs, a)
		}
	}
	if sp.Operands != nil || sp.Results != nil {
		def.TypeRules = nil
	}
	if sp.Operands != nil {
		def.Operands = sp.Operands
	}
	if sp.Results != nil {
		def.Results = sp.Results
	}
	def.TypeRules = append(slices.Clip(def.TypeRules), sp.TypeRules...)
	l := &OpName{id: n.id, name: name, dialect: n.dialect, def: &def, models: n.models, ctx: n.ctx, spelling: sp, base: n}
	if name != n.name {
		others[name] = l
	}
	if sp.Upgrade != nil {
		n.upgraded = append(n.upgraded, l)
	}
	return l
}

// OtherOpName returns the handle of an operation by a name that another version of
// LLVM gave it, or nil. Operations have the name that [OpName.Base] returns. It loads all dialects, since any may
// have had the operation: ask for names that [Context.OpName] doesn't know.
func (c *Context) OtherOpName(name string) *OpName { return c.loadAll().others[name] }

// Later returns the later spellings of the operation, oldest first.
func (n *OpName) Later() []*OpName { return n.later }

// Earlier returns the earlier spellings of the operation, latest first.
func (n *OpName) Earlier() []*OpName { return n.earlier }

// Base returns the name that operations have of which this is another spelling.
func (n *OpName) Base() *OpName {
	if n.base != nil {
		return n.base
	}
	return n
}

// Spelling returns what is special about another spelling; nil for the definition's.
func (n *OpName) Spelling() *Spelling { return n.spelling }

// In returns the spelling of the operation in a version of LLVM, 19 or later; 0 stands
// for that of the definitions.
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
	if to := sp.Renamed[name]; to != "" {
		s.SetAttr(to, a)
		s.Respell()
	} else if slices.Contains(sp.Discardable, name) {
		s.SetAttr(name, a)
	}
}

// Normalize makes a state in another spelling one of the definition.
func (s *OpState) Normalize() {
	sp := s.Name.Spelling()
	if sp == nil {
		return
	}
	s.Name = s.Name.Base()
	def := s.Name.Def()
	n := len(def.Attrs)
	if n > len(s.Props) {
		return
	}
	extra := s.Props[n:]
	s.Props = s.Props[:n]
	s.Attrs = slices.DeleteFunc(s.Attrs, func(a NamedAttr) bool {
		i := def.AttrIndex(sp.Renamed[a.Name])
		if i < 0 || s.Props[i] != nil {
			return false
		}
		s.Props[i] = a.Value
		return true
	})
	s.Respell()
	for _, a := range sp.Attrs {
		if len(extra) == 0 || def.AttrIndex(a.Name) >= 0 {
			continue
		}
		if extra[0] != nil {
			sp.Keep(s, a.Name, extra[0])
		}
		extra = extra[1:]
	}
}

// Respell makes inherent attributes of what other versions of LLVM have in their place.
func (s *OpState) Respell() { s.RespellIn(func(*AttrDef) bool { return true }) }

// RespellIn is [OpState.Respell] for the attributes that are wanted.
func (s *OpState) RespellIn(wanted func(*AttrDef) bool) {
	def := s.Name.Def()
	for i, a := range s.Props {
		if d := &def.Attrs[i]; a != nil && d.Type.Respell != nil && wanted(d) && !d.Type.Match(a) {
			if r := d.Type.Respell(s.Name.ctx, a); r != nil {
				s.Props[i] = r
			}
		}
	}
}

// Has tells whether the spelling has an inherent attribute, the i-th of its definition.
func (n *OpName) Has(i int) bool {
	return n.spelling == nil || !slices.Contains(n.spelling.Without, n.def.Attrs[i].Name)
}

// ValueIn returns an inherent attribute of the definition, the i-th, as the spelling has it.
func (n *OpName) ValueIn(i int, a Attribute) Attribute {
	if n.spelling == nil {
		return a
	}
	if v, ok := n.spelling.Values[n.def.Attrs[i].Name]; ok {
		return v.Printed(n.ctx, a)
	}
	if t := n.def.Attrs[i].Type; t.Respell != nil && !t.Match(a) {
		if r := t.Respell(n.ctx, a); r != nil {
			return r
		}
	}
	return a
}

// Meant returns the value in the definition of an inherent attribute that the spelling has.
func (n *OpName) Meant(a NamedAttr) Attribute {
	if n.spelling == nil || n.spelling.Values[a.Name].Read == nil {
		return a.Value
	}
	return n.spelling.Values[a.Name].Read(n.ctx, a.Value)
}

// InherentIn returns the inherent attributes of an operation as a version of LLVM has them, in
// the order of their names. The version is 19 or later; 0 stands for that of the definitions.
func (o *Op) InherentIn(version int) []NamedAttr {
	n := o.name.In(version)
	attrs := make([]NamedAttr, 0, 8)
	for i, a := range o.Props() {
		if a != nil && n.Has(i) {
			attrs = append(attrs, NamedAttr{n.def.Attrs[i].Name, n.ValueIn(i, a)})
		}
	}
	if n.spelling != nil {
		if n.spelling.Spelled != nil {
			attrs = append(attrs, n.spelling.Spelled(o)...)
		}
		for _, a := range o.DiscardableAttrs() {
			if n.inherent(o, a) {
				attrs = append(attrs, a)
			}
		}
	}
	slices.SortStableFunc(attrs, func(a, b NamedAttr) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(attrs, func(a, b NamedAttr) bool { return a.Name == b.Name })
}

// inherent tells whether a discardable attribute of an operation is an inherent one in the spelling.
func (n *OpName) inherent(o *Op, a NamedAttr) bool {
	later := n.def.Attrs[len(o.name.def.Attrs):]
	return slices.ContainsFunc(later, func(d AttrDef) bool { return d.Name == a.Name && d.Accepts(a.Value) })
}

// DiscardableIn returns the discardable attributes of an operation in a version of LLVM, which may
// have some of those of the definition among the inherent ones.
func (o *Op) DiscardableIn(version int) []NamedAttr {
	n, attrs := o.name.In(version), o.DiscardableAttrs()
	if n.spelling == nil {
		return attrs
	}
	elsewhere := func(a NamedAttr) bool { return slices.Contains(n.spelling.Without, a.Name) || n.inherent(o, a) }
	if !slices.ContainsFunc(attrs, elsewhere) {
		return attrs
	}
	return slices.DeleteFunc(slices.Clone(attrs), elsewhere)
}

// Returned returns the operands, of that many, that the results of an operation stand for
// in a later spelling; nil if there are none.
func (n *OpName) Returned(operands int) []int {
	for _, l := range n.Later() {
		if r := l.spelling.Returned(operands); r != nil {
			return r
		}
	}
	return nil
}

// ReturnedTypes returns the types of the results that an operation without any has in a
// later version of LLVM.
func (o *Op) ReturnedTypes(version int) []Type {
	sp := o.OpName().In(version).Spelling()
	if sp == nil {
		return nil
	}
	var out []Type
	for _, i := range sp.Returned(o.NumOperands()) {
		out = append(out, o.Operand(i).Type())
	}
	return out
}

// Returned returns which of that many operands are results as well; nil if none are, or
// there are not enough.
func (sp *Spelling) Returned(operands int) []int {
	if !sp.ReturnsAll {
		if len(sp.Returns) > 0 && slices.Max(sp.Returns) < operands {
			return sp.Returns
		}
		return nil
	}
	all := make([]int, operands)
	for i := range all {
		all[i] = i
	}
	return all
}
