package report

import (
	"fmt"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
)

// dimensions keeps, by function, the names of values that are dimensions of its arguments, and what these are called: one size has one name in all views, also
// where a pass asks an argument again.
type dimensions map[string]map[string]string

// add adds those of a function. Linear.
func (d dimensions) add(fn *ir.Op, named func(*ir.Value) string) {
	function, _ := ir.SymbolName(fn)
	if d[function] == nil {
		d[function] = map[string]string{}
	}
	fn.Walk(func(op *ir.Op) bool {
		if !interfaces.IsDim(op) {
			return true
		}
		name, of := named(op.Result(0)), op.Operand(0)
		if k, ok := ir.ConstantInt(op.Operand(1)); ok && name != "" && of.IsBlockArg() && interfaces.OwnerOf(of) == fn && named(of) != "" {
			d[function][name] = fmt.Sprintf("%s[%d]", named(of), k)
		}
		return true
	})
}

// rename returns what a size is called in a function.
func (d dimensions) rename(function, name string) string {
	if other, ok := d[function][name]; ok {
		return other
	}
	return name
}

// sizeText is a size as the page writes it.
func sizeText(s footprint.Size) string {
	text := s.String()
	if s.IsStatic() {
		return text
	}
	if s.Bytes == 0 {
		text += " B"
	}
	return text
}
