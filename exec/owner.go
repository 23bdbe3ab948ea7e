package exec

import "freehold/ir"

// Owner is implemented by dialects with types of values that say who frees memory: the
// model tells whether a type is one, and which allocation a value of it owns; nil if it is
// none. The value is nil where only the type is asked about.
var Owner = ir.NewInterface[func(t *ir.DialectType, v any) (owned *Alloc, is bool)]("ExecutableOwner")

// OwnerOf returns what [Owner] says about a type and a value.
func OwnerOf(t ir.Type, v any) (owned *Alloc, is bool) {
	d, ok := t.(*ir.DialectType)
	if !ok {
		return nil, false
	}
	m, ok := Owner.OfDialect(d.Dialect)
	if !ok {
		return nil, false
	}
	return m(d, v)
}
