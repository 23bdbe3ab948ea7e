package explain

import "freehold/ir"

// place returns where a value is made.
func (t *tracer) place(v *ir.Value) Place {
	p := Place{Loc: v.Loc(), Name: t.Value(v)}
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
