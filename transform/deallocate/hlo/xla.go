package hlo

import (
	"freehold/dialect/deallocation"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// Names of the attributes by which XLA's entry functions say which of its buffers are
// arguments and results.
const (
	inputMapping       = "xla_framework.input_mapping"
	resultMapping      = "xla_framework.result_mapping"
	resultInnerMapping = "xla_framework.result_inner_mapping"
)

// RewriteXLABufferArgs is the pass hlo-xla-buffer-arg-rewrite: it marks those arguments of a
// function deallocation.restrict that are results, and whose buffer isn't that of an input
// too. Linear.
func RewriteXLABufferArgs(fn *ir.Op) error {
	if fn.Attr(resultMapping) == nil {
		return nil
	}
	m, ok := interfaces.Function.Of(fn)
	if !ok {
		return nil
	}
	inputs := map[int64]bool{}
	var results []int
	for i := range m.Type(fn).Inputs {
		if a, ok := interfaces.ArgAttr(fn, i, inputMapping).(*ir.IntegerAttr); ok {
			inputs[a.Value] = true
		} else {
			results = append(results, i)
		}
	}
	mapping := integers(fn.Attr(resultMapping))
	if a := fn.Attr(resultInnerMapping); a != nil {
		mapping = integers(a)
	}
	if len(mapping) != len(results) {
		return fn.Errorf("number of result arguments does not match size of mapping")
	}
	restrict := map[int]bool{}
	for k, i := range results {
		restrict[i] = !inputs[mapping[k]]
	}
	yes := ir.NamedAttr{Name: deallocation.RestrictAttr, Value: fn.Context().Bool(true)}
	interfaces.EditArgAttrs(fn, func(i int, attrs []ir.NamedAttr) []ir.NamedAttr {
		if !restrict[i] {
			return attrs
		}
		var out []ir.NamedAttr
		for _, a := range attrs {
			if a.Name != yes.Name {
				out = append(out, a)
			}
		}
		return append(out, yes)
	})
	return nil
}

// integers returns the numbers of an attribute: a number, or a list of them.
func integers(a ir.Attribute) (out []int64) {
	switch a := a.(type) {
	case *ir.IntegerAttr:
		out = []int64{a.Value}
	case *ir.DenseArrayAttr:
		out = a.Ints()
	case *ir.ArrayAttr:
		for _, e := range a.Elems {
			out = append(out, integers(e)...)
		}
	}
	return out
}
