package llvm

import (
	"strings"

	"freehold/ir"
	"freehold/ir/asm"
)

// Up to LLVM 17, pointers had the type of what they point at, which operations therefore needn't say: a load what it reads, a store what it writes,
// and the address of a part what it is a part of. The type of the pointer is the only place that has it.

// typedAccess is how a load or a store was spelled: the operands, and the type of the pointer. what is the value's name.
func typedAccess(operands, what string) ir.Spelling {
	return ir.Spelling{Until: typedPointersUntil, Format: "(`volatile` $volatile_^)? " + operands + " attr-dict `:` custom<TypedPointer>(type($addr), type($" + what + "))"}
}

// typedPointer is the type of a pointer, and of what it points at.
var typedPointer = asm.Directive{
	Parse: func(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
		pos := p.Pos()
		t, err := p.Type()
		if err != nil {
			return err
		}
		to, err := pointee(p, pos)
		s.SetTypes(args[0].Name, []ir.Type{t})
		s.SetTypes(args[1].Name, []ir.Type{to})
		return err
	},
	Print: func(*asm.Printer, *ir.Op, []asm.DirectiveArg) {}, // nothing is printed as it was in LLVM 17
}

// pointee returns what the pointer points at whose type is the first one of what was read from pos on.
func pointee(p *asm.Parser, pos asm.Pos) (ir.Type, error) {
	_, text, found := strings.Cut(p.Since(pos), "ptr<")
	end, depth := -1, 1
	for i := 0; found && i < len(text) && end < 0; i++ {
		switch text[i] {
		case '<':
			depth++
		case '>':
			if i > 0 && text[i-1] == '-' {
				continue // an arrow
			}
			if depth--; depth == 0 {
				end = i
			}
		}
	}
	if end < 0 {
		return nil, p.Errorf(pos, "expected a pointer to values of a type")
	}
	text = strings.TrimSpace(text[:end])
	if i := strings.LastIndex(text, ","); i >= 0 && strings.Trim(text[i+1:], " 0123456789") == "" {
		text = text[:i] // the address space
	}
	for _, spelled := range []string{"!llvm." + text, text} {
		if t, err := asm.ParseType(p.Context(), spelled); err == nil {
			return t, nil
		}
	}
	return nil, p.Errorf(pos, "expected a pointer to values of a type")
}
