package dlti

import "freehold/ir"

// IndexBits returns an operation in root, or root, with a data layout by which numbers of the type index haven't 64 bits, and how many they have; nil if there is none.
// Linear in the operations, but for what is in functions.
func IndexBits(root *ir.Op) (at *ir.Op, bits int64) {
	root.Walk(func(op *ir.Op) bool {
		for _, named := range op.DiscardableAttrs() {
			spec, ok := named.Value.(*ir.DialectAttr)
			if at != nil || !ok || spec.Dialect != op.Context().Dialect("dlti") || spec.Mnemonic != "dl_spec" {
				continue
			}
			for _, e := range spec.Params {
				if n, ok := indexEntry(e); ok && n != 64 {
					at, bits = op, n
				}
			}
		}
		return at == nil && op.Has(ir.TraitSymbolTable)
	})
	return at, bits
}

// indexEntry returns the number that an entry of a data layout gives for the type index.
func indexEntry(e ir.Attribute) (int64, bool) {
	var key, value ir.Attribute
	switch e := e.(type) {
	case *ir.DialectAttr:
		if e.Mnemonic == entryName && len(e.Params) == 2 {
			key, value = e.Params[0], e.Params[1]
		}
	case *ir.ArrayAttr:
		if len(e.Elems) == 3 {
			key, value = e.Elems[0], e.Elems[2]
		}
	}
	t, ok := key.(*ir.TypeAttr)
	n, isInt := value.(*ir.IntegerAttr)
	if !ok || !isInt || t.Type != ir.Type(ir.Index) {
		return 0, false
	}
	return n.Value, true
}
