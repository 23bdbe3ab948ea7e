package explain

import (
	"freehold/ir"
	"freehold/ir/asm"
)

// place returns where a value is made.
func (t *tracer) place(v *ir.Value) Place { return placeOf(t.SourceNames, v) }

// placeOf returns where a value is made, with its name in the source, or else words for it.
func placeOf(names *asm.SourceNames, v *ir.Value) Place {
	p := Place{Loc: v.Loc(), Name: names.Value(v)}
	if p.Name == "" {
		switch {
		case v.DefiningOp() != nil:
			p.Name = "the result of " + v.DefiningOp().Name()
		default:
			p.Name = "a block's argument"
		}
	}
	return p
}
