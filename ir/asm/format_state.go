package asm

import (
	"errors"

	"freehold/ir"
)

// ErrAbsent is returned by a directive that starts an optional group and is not
// there.
var ErrAbsent = errors.New("asm: directive is absent")

// FormatState collects what a declarative format has parsed before operands are
// resolved. Custom directives read and write it by the names of the definition.
type FormatState struct {
	*ir.OpState
	def     *ir.OpDef
	opnds   []operandGroup
	results []resultGroup
	regions [][]*ir.Region
	succs   [][]*ir.Block
	// all and allTypes are the operands and their types where the format has them in
	// one list.
	all      operandGroup
	allTypes []ir.Type

	opndBuf   [4]operandGroup
	resultBuf [2]resultGroup
}

// operandGroup is what was parsed of an operand group.
type operandGroup struct {
	ops   []Unresolved
	pos   Pos
	types []ir.Type
	typed bool // types is set
	// segments holds the sizes of the inner lists of a VariadicOfVariadic group.
	segments []int32
	single   [1]Unresolved
	oneType  [1]ir.Type
}

// resultGroup is what was parsed of a result group.
type resultGroup struct {
	types   []ir.Type
	typed   bool
	oneType [1]ir.Type
}

// newFormatState returns an empty state, one that was given back if there is any.
// What a state refers to must be copied before the next operation is parsed.
func (p *Parser) newFormatState(s *ir.OpState) *FormatState {
	var st *FormatState
	if n := len(p.formats); n > 0 {
		st, p.formats = p.formats[n-1], p.formats[:n-1]
		clear(st.opnds)
		clear(st.results)
		st.all, st.allTypes = operandGroup{}, nil
	} else {
		st = &FormatState{}
	}
	def := s.Name.Def()
	st.OpState, st.def = s, def
	st.opnds = sized(st.opndBuf[:], len(def.Operands))
	st.results = sized(st.resultBuf[:], len(def.Results))
	st.regions, st.succs = nil, nil
	if n := len(def.Regions); n > 0 {
		st.regions = make([][]*ir.Region, n)
	}
	if n := len(def.Successors); n > 0 {
		st.succs = make([][]*ir.Block, n)
	}
	return st
}

func sized[T any](buf []T, n int) []T {
	if n <= len(buf) {
		return buf[:n]
	}
	return make([]T, n)
}

func (s *FormatState) operandGroup(name string) *operandGroup {
	if i := s.def.OperandIndex(name); i >= 0 {
		return &s.opnds[i]
	}
	return nil
}

// SetOperands sets the unresolved operands of group name.
func (s *FormatState) SetOperands(name string, ops []Unresolved) {
	if g := s.operandGroup(name); g != nil {
		g.ops = ops
		if len(ops) > 0 {
			g.pos = ops[0].Pos
		}
	}
}

// OperandsOf returns the unresolved operands of group name.
func (s *FormatState) OperandsOf(name string) []Unresolved {
	if g := s.operandGroup(name); g != nil {
		return g.ops
	}
	return nil
}

// SetTypes sets the types of operand or result group name.
func (s *FormatState) SetTypes(name string, types []ir.Type) {
	if g := s.operandGroup(name); g != nil {
		g.types, g.typed = types, true
	} else if i := s.def.ResultIndex(name); i >= 0 {
		s.results[i].types, s.results[i].typed = types, true
	}
}

// TypesOf returns the types of operand or result group name that are known so
// far.
func (s *FormatState) TypesOf(name string) []ir.Type {
	if g := s.operandGroup(name); g != nil {
		return g.types
	}
	if i := s.def.ResultIndex(name); i >= 0 {
		return s.results[i].types
	}
	return nil
}

// SetSegments sets the sizes of the inner lists of a VariadicOfVariadic operand
// group.
func (s *FormatState) SetSegments(name string, sizes []int32) {
	if g := s.operandGroup(name); g != nil {
		g.segments = sizes
	}
}

// AddRegionTo adds an empty region to region group name and returns it.
func (s *FormatState) AddRegionTo(name string) *ir.Region {
	r := &ir.Region{}
	for i := range s.def.Regions {
		if s.def.Regions[i].Name == name {
			s.regions[i] = append(s.regions[i], r)
		}
	}
	return r
}

// AddSuccessor adds a block to successor group name.
func (s *FormatState) AddSuccessor(name string, b *ir.Block) {
	for i := range s.def.Successors {
		if s.def.Successors[i].Name == name {
			s.succs[i] = append(s.succs[i], b)
		}
	}
}
