package async

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// Mnemonics of the types.
const (
	tokenMnemonic  = "token"       // that work is done
	valueMnemonic  = "value"       // what work returns
	groupMnemonic  = "group"       // several of both
	idMnemonic     = "coro.id"     // a coroutine
	handleMnemonic = "coro.handle" // a coroutine that has begun
	stateMnemonic  = "coro.state"  // where it is suspended
)

var (
	tokenType  = constraint.DialectType("async token type", dialectName, tokenMnemonic)
	groupType  = constraint.DialectType("async group type", dialectName, groupMnemonic)
	idType     = constraint.DialectType("switched-resume coroutine identifier", dialectName, idMnemonic)
	handleType = constraint.DialectType("coroutine handle", dialectName, handleMnemonic)
	stateType  = constraint.DialectType("saved coroutine state", dialectName, stateMnemonic)
	valueType  = ir.TypeConstraint{Summary: "async value type", Match: isValue}
	awaitable  = ir.TypeConstraint{Summary: "async value type or async token type", Match: func(t ir.Type) bool { return isValue(t) || tokenType.Match(t) }}
	counted    = ir.TypeConstraint{Summary: awaitable.Summary + " or " + groupType.Summary, Match: func(t ir.Type) bool { return awaitable.Match(t) || groupType.Match(t) }}
)

func isValue(t ir.Type) bool { return HeldBy(t) != nil }

// HeldBy returns the type of what an !async.value holds; nil for another type.
func HeldBy(t ir.Type) ir.Type {
	d, ok := t.(*ir.DialectType)
	if !ok || d.Dialect.Name != dialectName || d.Mnemonic != valueMnemonic || len(d.Params) != 1 {
		return nil
	}
	held, ok := d.Params[0].(*ir.TypeAttr)
	if !ok {
		return nil
	}
	return held.Type
}

// valueOf returns the type of values that hold another type.
func valueOf(c *ir.Context, held ir.Type) ir.Type {
	return c.DialectTypeOf(c.Dialect(dialectName), valueMnemonic, c.TypeAttr(held))
}

func parseType(p *asm.Parser, mnemonic string) (ir.Type, error) {
	switch mnemonic {
	case tokenMnemonic, groupMnemonic, idMnemonic, handleMnemonic, stateMnemonic:
		return p.Context().DialectTypeOf(p.Context().Dialect(dialectName), mnemonic), nil
	case valueMnemonic:
		return parseHeld(p)
	}
	return nil, p.Errorf(p.SymbolPos(), "unknown  type `%s` in dialect `async`", mnemonic)
}

// parseHeld reads the rest of a value's type, <T>.
func parseHeld(p *asm.Parser) (ir.Type, error) {
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	t, err := p.Type()
	if err != nil {
		return nil, err
	}
	return valueOf(p.Context(), t), p.Expect(">")
}

// awaitedType is the type of what is waited for, which says what an operation returns: what a value holds, or nothing.
var awaitedType = asm.Directive{
	Parse: func(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
		t, err := p.Type()
		if err != nil {
			return err
		}
		s.SetTypes(args[0].Name, []ir.Type{t})
		if held := HeldBy(t); held != nil {
			s.SetTypes(args[1].Name, []ir.Type{held})
		} else {
			s.SetTypes(args[1].Name, nil)
		}
		return nil
	},
	Print: func(p *asm.Printer, op *ir.Op, _ []asm.DirectiveArg) { p.Type(op.Operand(0).Type()) },
}

// heldType is the type of the value that is stored or loaded, which is written without its name, and that of what it holds.
var heldType = asm.Directive{
	Parse: func(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
		pos := p.Pos()
		t, there, err := p.OptionalType()
		if !there && err == nil {
			t, err = parseHeld(p)
		}
		if err != nil {
			return err
		}
		held := HeldBy(t)
		if held == nil {
			return p.Errorf(pos, "invalid kind of type specified")
		}
		s.SetTypes(args[0].Name, []ir.Type{t})
		s.SetTypes(args[1].Name, []ir.Type{held})
		return nil
	},
	Print: func(p *asm.Printer, op *ir.Op, _ []asm.DirectiveArg) {
		p.Text("<")
		p.Type(HeldBy(op.Operand(op.NumOperands() - 1).Type())) // the value comes last
		p.Text(">")
	},
}
