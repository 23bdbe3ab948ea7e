package ir

import (
	"errors"
	"slices"
)

// Upgrade makes a state that was read one of the definition, as the Upgrade of the other
// spellings of its operation says. reads tells whether a spelling is read whose last version
// of LLVM is given; 0 if it has none. What is created comes where the builder inserts. changed is told
// the spellings that changed the state; it may be nil. The error is what is wrong with the state.
func (s *OpState) Upgrade(b *Builder, reads func(until int) bool, changed func(*Spelling)) error {
	for _, e := range s.Name.Upgraded() {
		sp := e.Spelling()
		if !reads(sp.Until) {
			continue
		}
		var before stateOutline
		if changed != nil {
			before = s.outline()
		}
		if err := sp.Upgrade(b, s); err != nil {
			return err
		}
		if changed != nil && !before.equal(s.outline()) {
			changed(sp)
		}
	}
	return nil
}

// stateOutline is what an upgrade may change of a state.
type stateOutline struct {
	name                            *OpName
	operands, types, attrs, regions int
	args                            int // of the first region
	props                           []Attribute
}

func (s *OpState) outline() stateOutline {
	o := stateOutline{name: s.Name, operands: len(s.Operands), types: len(s.Types), attrs: len(s.Attrs), regions: len(s.Regions), props: slices.Clone(s.Props)}
	if len(s.Regions) > 0 && !s.Regions[0].Empty() {
		o.args = s.Regions[0].Entry().NumArgs()
	}
	return o
}

func (o stateOutline) equal(x stateOutline) bool {
	return o.name == x.name && o.operands == x.operands && o.types == x.types && o.attrs == x.attrs && o.regions == x.regions &&
		o.args == x.args && slices.Equal(o.props, x.props)
}

// errInPlace is the error of operations that are upgraded after those that follow them were read.
var errInPlace = errors.New("changes a value in place")

// upgradedState is a state with room for its lists.
type upgradedState struct {
	state    OpState
	operands []*Value
	types    []Type
	props    []Attribute
}

// Upgrade does to an operation what [OpState.Upgrade] does to a state, and returns the
// operation that has taken its place, if another one has, or else op. What it uses must be
// known, and what is in it be upgraded.
func Upgrade(b *Builder, op *Op, reads func(until int) bool) (*Op, error) {
	room := &b.upgraded
	room.operands, room.types, room.props = room.operands[:0], room.types[:0], append(room.props[:0], op.Props()...)
	for i := range op.NumOperands() {
		room.operands = append(room.operands, op.Operand(i))
	}
	for i := range op.NumResults() {
		room.types = append(room.types, op.Result(i).typ)
	}
	s := &room.state
	*s = OpState{Name: op.name, Loc: op.loc, Operands: slices.Clip(room.operands), Types: slices.Clip(room.types),
		Props: room.props, Attrs: slices.Clone(op.DiscardableAttrs()), Regions: op.Regions()}
	for i := range op.NumSuccessors() {
		s.Successors = append(s.Successors, op.Successor(i))
	}
	b.SetBefore(op)
	b.Loc = op.loc
	if err := s.Upgrade(b, reads, nil); err != nil {
		return nil, err
	}
	if s.InPlace != nil {
		return nil, errInPlace
	}
	if s.Name == op.name && op.Operands().Equal(s.Operands) && op.Results().haveTypes(s.Types) {
		for i, a := range s.Props {
			if a != op.Prop(i) {
				op.SetProp(i, a)
			}
		}
		for _, a := range slices.Clone(op.DiscardableAttrs()) {
			if s.Attr(a.Name) == nil {
				op.SetDiscardableAttr(a.Name, nil)
			}
		}
		return op, nil
	}
	b.SetBefore(op)
	b.Loc = s.Loc
	bodies := s.Regions
	s.Regions = nil
	for _, r := range bodies {
		s.AddRegion().TakeBody(r)
	}
	n := b.CreateExact(s)
	b.Insert(n)
	for i := range op.NumResults() {
		n.Result(i).TakeUses(op.Result(i))
	}
	op.Erase()
	return n, nil
}

// TakeEarlier finds the inherent attributes among the further ones of a state, where
// versions of LLVM of which spellings are read called or spelled them otherwise.
func (s *OpState) TakeEarlier(reads func(until int) bool) {
	s.Respell()
	if len(s.Attrs) == 0 {
		return
	}
	def := s.Name.Def()
	s.Attrs = slices.DeleteFunc(s.Attrs, func(a NamedAttr) bool {
		name := earlierSegments[a.Name]
		for _, e := range s.Name.Earlier() {
			if name == "" && reads(e.Spelling().Until) {
				name = e.Spelling().Renamed[a.Name]
			}
		}
		i := def.AttrIndex(name)
		if i < 0 || i < len(s.Props) && s.Props[i] != nil {
			return false
		}
		s.SetAttr(name, a.Value)
		if n, ok := def.GroupsOf(i); ok {
			s.Props[i] = earlierSizes(s.Name.ctx, &def.Attrs[i], a.Value, n)
		}
		return true
	})
	s.Respell()
}

// earlierSizes returns the sizes of n groups, of which an earlier version didn't have the
// last ones.
func earlierSizes(c *Context, def *AttrDef, a Attribute, n int) Attribute {
	if !def.Type.Match(a) {
		a = def.Type.Respell(c, a)
	}
	if d, ok := a.(*DenseArrayAttr); ok && d.Len() < n {
		return c.DenseArray(I32, append([]byte(d.Data), make([]byte, 4*(n-d.Len()))...))
	}
	return a
}

// earlierSegments are the names, before LLVM 17, of what all operations with several
// groups of operands or results have.
var earlierSegments = map[string]string{
	"operand_segment_sizes": OperandSegmentsAttr,
	"result_segment_sizes":  ResultSegmentsAttr,
}
