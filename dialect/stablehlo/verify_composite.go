package stablehlo

import (
	"slices"
	"strings"

	"freehold/dialect/funcd"
	"freehold/ir"
)

// verifyComposite demands a name in a namespace.
func verifyComposite(op *ir.Op) error {
	name := op.Attr("name").(*ir.StringAttr).Value
	parts := strings.Split(name, ".")
	ok := len(parts) > 1 && strings.IndexFunc(name, func(r rune) bool { return !isLetter(r) }) != 0
	for i, p := range parts {
		ok = ok && p != "" && strings.IndexFunc(p, func(r rune) bool { return !isLetter(r) && r != '_' && (r < '0' || r > '9') && (i == 0 || r != '$') }) < 0
	}
	return failedUnless(op, ok, "name must be one in a namespace, such as my_namespace.my_op")
}

func isLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// verifyDecomposition demands that there is a function with the types of the operation.
func verifyDecomposition(op *ir.Op, tables *ir.SymbolTables) error {
	ref := op.Attr("decomposition").(*ir.SymbolRefAttr)
	fn := tables.Lookup(op, ref)
	if fn == nil || !fn.Is(funcd.Func) {
		return op.Errorf("'%s' does not reference a valid function", ref.Root)
	}
	t := funcd.Type(fn)
	return failedUnless(op, slices.Equal(t.Inputs, op.Operands().Types()) && slices.Equal(t.Results, op.Results().Types()), "the decomposition @"+ref.Root+" must have the types of the operation")
}
