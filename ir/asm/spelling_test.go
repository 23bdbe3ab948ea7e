package asm

import (
	"strings"
	"testing"

	"freehold/ir"
)

// TestReturnedOperands reads an operation whose results stand for operands in a
// later spelling, with as many operands as it likes.
func TestReturnedOperands(t *testing.T) {
	d := &ir.Dialect{Name: "x", Ops: func() []*ir.OpDef {
		return []*ir.OpDef{{
			ID:       ir.NewOpID("x.op"),
			Operands: []ir.OperandDef{{Type: ir.TypeConstraint{Summary: "any type", Match: func(ir.Type) bool { return true }}, Arity: ir.Variadic}},
			Later:    []ir.Spelling{{Since: 20, Name: "x.late", Returns: []int{0}}},
		}}
	}}
	for src, want := range map[string]string{
		`%0 = "x.op"() : () -> ()`: "cannot name an operation with no results",
		`%0 = "x.op"() : () -> i8`: "", // an error of the verifier
		"%0 = \"y.z\"() : () -> i8\n%1 = \"x.late\"(%0) : (i8) -> i8\n\"y.u\"(%1) : (i8) -> ()":     "",
		"%0 = \"y.z\"() : () -> i8\n\"y.u\"(%1) : (i8) -> ()\n%1 = \"x.op\"(%0) : (i8) -> i8":       "",
		"%0 = \"y.z\"() : () -> i8\n%1:2 = \"x.op\"(%0) : (i8) -> i8":                               "cannot name",
		"%0 = \"y.z\"() : () -> i8\n%1 = \"x.op\"(%0) : (i8) -> ()\n\"y.u\"(%1) : (i16) -> ()":      "expects different type",
		"%0 = \"y.z\"() : () -> i8\n%1 = \"x.op\"(%0) : (i8) -> i8\n%1 = \"x.op\"(%0) : (i8) -> i8": "redefinition",
	} {
		ctx := ir.NewContext(testBuiltin, d)
		ctx.AllowUnregistered = true
		m, err := Parse(ctx, []byte(src), "f", ParseOptions{})
		switch {
		case want == "" && err != nil, want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s\n%v", src, err)
		case err == nil:
			Print(m, PrintOptions{Generic: true, Version: 22})
			if got := string(Print(m, PrintOptions{Generic: true})); strings.Contains(got, "x.late") {
				t.Errorf("%s", got)
			}
		}
	}
}
