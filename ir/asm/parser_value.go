package asm

import (
	"fmt"
	"slices"

	"freehold/ir"
)

// forwardRef is a use of a value that is not defined yet.
type forwardRef struct {
	pos     Pos
	defined bool
	// missing is set once nothing can define it any more: its name is free again.
	missing bool
	// refused is the innermost closed region inside of which the value was used, too.
	refused Pos
}

// scopedRefs is what a parser keeps that decides at the end of each operation that is
// isolated from above which values are never defined.
type scopedRefs struct {
	open       []int // forward references that nothing was decided about, in order
	undeclared []Pos // where those were used that nothing defines
	last       int   // number of undeclared before the last isolated operation
}

// mark returns what undo takes to forget the errors that are found from now on.
func (s *scopedRefs) mark() int {
	if s == nil {
		return 0
	}
	return len(s.undeclared)
}

func (s *scopedRefs) undo(mark int) {
	if s != nil {
		s.undeclared = s.undeclared[:mark]
	}
}

// maxResultGap bounds how far the number of a forward reference may be from those
// seen before.
const maxResultGap = 256

// scope is a region that is being parsed.
type scope struct {
	isolated bool
	// closed is set if nothing outside of the region may define what is used in it.
	closed bool
	// start is that of the innermost closed region, and before is the number of forward
	// references when it was entered.
	start  Pos
	before int
	// undeclared is the number of those that were found when the scope was entered.
	undeclared int
	defined    int // definitions of the table when the scope was entered
	outer      *valueTable
	labels     labelTable
	// garbled is set if names may be missing as what defines them couldn't be read: then
	// uses of undefined values are no errors.
	garbled bool
	open    int // forward references that were open when the scope was entered
}

func (p *Parser) isForward(v *ir.Value) bool { return v.ArgOwner() == p.fwdBlock }

// current returns the reference to value n of an entry. If nothing can define a value any
// more that was used under that name, it is empty.
func (p *Parser) current(e *valueEntry, n int) *valueRef {
	ref := e.at(n)
	if p.scoped != nil && ref.value != nil && p.isForward(ref.value) && p.forward[ref.value.Index()].missing {
		*ref = valueRef{}
	}
	return ref
}

// pushScope opens the name scope of a region. isolated gives it names of its own.
func (p *Parser) pushScope(isolated, closed bool) {
	// The table of the labels of an ended scope is reused.
	n := len(p.scopes)
	if n == cap(p.scopes) {
		p.scopes = slices.Grow(p.scopes, 1)
	}
	p.scopes = p.scopes[:n+1]
	s := &p.scopes[n]
	s.labels.reset()
	s.isolated, s.outer = isolated || p.values == nil, p.values
	s.closed, s.garbled, s.open = closed || s.isolated, false, 0
	if p.scoped != nil {
		s.open, s.undeclared = len(p.scoped.open), len(p.scoped.undeclared)
		if s.closed {
			s.start, s.before = p.Pos(), len(p.forward)
		} else {
			s.start, s.before = p.scopes[n-1].start, p.scopes[n-1].before
		}
	}
	if s.isolated {
		if n := len(p.spare); n > 0 {
			p.values, p.spare = p.spare[n-1], p.spare[:n-1]
		} else {
			p.values = &valueTable{}
		}
	}
	s.defined = len(p.values.defined)
}

// popScope closes the innermost name scope. Labels that were used must have been
// defined.
func (p *Parser) popScope() error {
	s := &p.scopes[len(p.scopes)-1]
	if s.labels.pending > 0 {
		var missing []Pos
		for i := range s.labels.n {
			if b := s.labels.entry(i); !b.defined {
				missing = append(missing, b.pos)
			}
		}
		return p.failAll(missing, "reference to an undefined block")
	}
	p.dropScope()
	return nil
}

// failAll returns an error for each position, in the order of the source.
func (p *Parser) failAll(at []Pos, msg string) error {
	slices.Sort(at)
	ds := make(ir.Diagnostics, len(at))
	for i, pos := range at {
		ds[i] = &ir.Diagnostic{Loc: p.LocAt(pos), Message: msg}
	}
	if len(ds) == 1 {
		return ds[0]
	}
	return ds
}

const undeclaredName = "use of undeclared SSA value name"

// checkForward returns errors for the values that were used and never defined, unless scopes
// decide about them.
func (p *Parser) checkForward() error {
	if p.scoped != nil {
		return nil
	}
	var missing []Pos
	for _, f := range p.forward {
		if !f.defined {
			missing = append(missing, f.pos)
		}
	}
	if missing == nil {
		return nil
	}
	return p.failAll(missing, undeclaredName)
}

// define gives a value its name. Uses that came before get the value.
func (p *Parser) define(u Unresolved, v *ir.Value) error {
	e := p.values.entry(u.Name)
	if u.Number == 0 && e.value != nil && !p.isForward(e.value) && p.garbled() {
		p.unknownName(u.Name)
	}
	ref := p.current(e, u.Number)
	if old := ref.value; old != nil {
		if !p.isForward(old) {
			d := p.fail(u.Pos, "redefinition of SSA value '%"+u.Name+"'").(*ir.Diagnostic)
			return d.WithNote(p.LocAt(ref.pos), "previously defined here")
		}
		if old.Type() != v.Type() {
			d := p.fail(u.Pos, fmt.Sprintf("definition of SSA value '%%%s#%d' has type '%s'", u.Name, u.Number, v.Type())).(*ir.Diagnostic)
			return d.WithNote(p.LocAt(ref.pos), "previously used here with type '%s'", old.Type())
		}
		placed(old, ir.Unknown)
		old.ReplaceAllUsesWith(v)
		p.forward[old.Index()].defined = true
		if p.tokens != nil {
			p.tokens.resolved(old, v)
		}
	}
	ref.value, ref.pos = v, u.Pos
	if p.tokens != nil {
		p.tokens.defines(u.Pos, v)
	}
	if u.Number == 0 {
		e.known, e.unknown = true, false
		p.values.defined = append(p.values.defined, e)
	}
	return nil
}

// Operand consumes %name or %name#n.
func (p *Parser) Operand() (Unresolved, error) { return p.operand(true) }

func (p *Parser) operand(allowNumber bool) (Unresolved, error) {
	if p.tok.kind != tPercent {
		return Unresolved{}, p.failToken("expected SSA operand")
	}
	u := Unresolved{Name: p.src[p.tok.pos+1 : p.tok.end], Pos: Pos(p.tok.pos)}
	p.advance()
	if p.tok.kind == tHash {
		if !allowNumber {
			return u, p.failHere("result number not allowed in argument list")
		}
		n, ok := uint64(0), false
		if s := p.src[p.tok.pos+1 : p.tok.end]; charClass[s[0]].bits&cDigit != 0 {
			n, ok = parseUint(s)
		}
		if !ok || n > 1<<31 {
			return u, p.failHere("invalid SSA value result number")
		}
		u.Number = int(n)
		p.advance()
	}
	return u, nil
}

// OptionalOperand consumes an operand if one is next.
func (p *Parser) OptionalOperand() (Unresolved, bool, error) {
	if p.tok.kind != tPercent {
		return Unresolved{}, false, nil
	}
	u, err := p.operand(true)
	return u, true, err
}

// Operands consumes a comma-separated list of operands. With NoDelimiter the list
// may be empty.
func (p *Parser) Operands(d Delimiter) ([]Unresolved, error) {
	if d == NoDelimiter && p.tok.kind != tPercent {
		return nil, nil
	}
	// Lists are short and many: they are cut from a slab, which is used again when the
	// operation has been made.
	if cap(p.operands)-len(p.operands) < 8 {
		p.operands = make([]Unresolved, 0, 256)
		p.operandSlabs++
	}
	start := len(p.operands)
	err := p.list(d, " in operand list", func() error {
		u, err := p.operand(true)
		p.operands = append(p.operands, u)
		return err
	})
	return p.operands[start:len(p.operands):len(p.operands)], err
}

// OperandsOf consumes a comma-separated list of n > 0 operands.
func (p *Parser) OperandsOf(n int, d Delimiter) ([]Unresolved, error) {
	if d == NoDelimiter && p.tok.kind != tPercent {
		if p.tok.kind == tLParen || p.tok.kind == tLSquare {
			return nil, p.failHere("unexpected delimiter")
		}
		return nil, p.failToken("expected operand")
	}
	pos := p.Pos()
	us, err := p.Operands(d)
	if err == nil && len(us) != n {
		err = p.Errorf(pos, "expected %d operands", n)
	}
	return us, err
}

// Resolve returns the value that an operand names, whose type must be t.
func (p *Parser) Resolve(u Unresolved, t ir.Type) (*ir.Value, error) {
	v, err := p.value(u, t)
	if err == nil && p.tokens != nil && !p.isUnknown(v) {
		p.tokens.uses(u.Pos, v, p.isForward(v))
	}
	return v, err
}

func (p *Parser) value(u Unresolved, t ir.Type) (*ir.Value, error) {
	e := p.values.entry(u.Name)
	if e.unknown {
		return p.unknownValue(t), nil
	}
	if u.Number > 0 && e.value != nil && !p.isForward(e.value) &&
		(u.Number > len(e.more()) || e.more()[u.Number-1].value == nil) {
		return nil, p.fail(u.Pos, "reference to invalid result number")
	}
	if u.Number > len(e.more())+maxResultGap {
		return nil, p.fail(u.Pos, "reference to invalid result number")
	}
	ref := p.current(e, u.Number)
	if v := ref.value; v != nil {
		if p.refused(u, v) {
			return p.unknownValue(t), nil
		}
		if v.Type() == t {
			return v, nil
		}
		d := p.fail(u.Pos, "use of value '%"+u.Name+"' expects different type than prior uses: '"+
			t.String()+"' vs '"+v.Type().String()+"'").(*ir.Diagnostic)
		return nil, d.WithNote(p.LocAt(ref.pos), "prior use here")
	}
	var loc ir.Location
	if p.ahead {
		loc = &placeLoc{ir.Unknown}
	}
	ref.value, ref.pos = p.builder.AddArg(p.fwdBlock, t, loc), u.Pos
	if p.scoped != nil {
		p.scoped.open = append(p.scoped.open, len(p.forward))
	}
	p.forward = append(p.forward, forwardRef{pos: u.Pos})
	return ref.value, nil
}

// refused tells whether an operand names a value that is used, and not yet defined, outside
// of the isolated operation around the operand. The first such use is an error.
func (p *Parser) refused(u Unresolved, v *ir.Value) bool {
	s := &p.scopes[len(p.scopes)-1]
	if p.scoped == nil || !p.isForward(v) || v.Index() >= s.before {
		return false
	}
	if f := &p.forward[v.Index()]; !s.garbled && f.refused != s.start {
		f.refused = s.start
		p.scoped.undeclared = append(p.scoped.undeclared, u.Pos)
	}
	return p.recovery != nil
}

// wordsOf22 is the version of LLVM since which the parser's messages about numbers of operands and sizes of vectors say more.
const wordsOf22 = 22

// miscounted returns the error that there are other than as many operands as types.
func (p *Parser) miscounted(pos Pos, operands int, types int64) error {
	if p.ctx.LLVM() >= wordsOf22 {
		return p.Errorf(pos, "number of operands and types do not match: got %d operands and %d types", operands, types)
	}
	return p.Errorf(pos, "%d operands present, but expected %d", operands, types)
}

// ResolveAll resolves operands to as many types; pos is for the message that the
// numbers differ.
func (p *Parser) ResolveAll(us []Unresolved, types []ir.Type, pos Pos) ([]*ir.Value, error) {
	if len(us) != len(types) {
		return nil, p.miscounted(pos, len(us), int64(len(types)))
	}
	out := p.resolved.Take(len(us))
	for i, u := range us {
		v, err := p.Resolve(u, types[i])
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

// ResolveInto resolves operands that all have the type t and appends them to the
// state's operands.
func (p *Parser) ResolveInto(s *ir.OpState, t ir.Type, us ...Unresolved) error {
	for _, u := range us {
		v, err := p.Resolve(u, t)
		if err != nil {
			return err
		}
		s.Operands = append(s.Operands, v)
	}
	return nil
}

// Successor consumes ^label.
func (p *Parser) Successor() (*ir.Block, error) {
	if p.tok.kind != tCaret {
		return nil, p.failToken("expected block name")
	}
	labels := p.labels()
	b := labels.at(p.text(), p.Pos())
	if b.block == nil {
		b.block = p.builder.NewBlock(0)
		labels.pending++
	}
	pos := p.Pos()
	p.advance()
	if p.tokens != nil {
		p.tokens.label(pos, b.block, false)
	}
	return b.block, nil
}

// labels are those of the innermost region.
func (p *Parser) labels() *labelTable { return &p.scopes[len(p.scopes)-1].labels }

// OptionalSuccessor consumes ^label if it is next.
func (p *Parser) OptionalSuccessor() (*ir.Block, bool, error) {
	if p.tok.kind != tCaret {
		return nil, false, nil
	}
	b, err := p.Successor()
	return b, true, err
}
