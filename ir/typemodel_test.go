package ir_test

import (
	"testing"

	"freehold/ir"
)

// Models of types are found by dialect and mnemonic, whoever brought them.
func TestModelsOfTypes(t *testing.T) {
	size := ir.NewInterface[func(t *ir.DialectType) int64]("Size")
	other := ir.NewInterface[bool]("Other")
	param := func(t *ir.DialectType) int64 { return t.Params[0].(*ir.IntegerAttr).Value }
	d := &ir.Dialect{Name: "d", Types: []*ir.TypeDef{{Mnemonic: "a", Models: []ir.Model{size.Model(param)}}, {Mnemonic: "b"}}}
	c := ir.NewContext(d)
	c.AttachToType("d", "b", other.Model(true), size.Model(func(*ir.DialectType) int64 { return 7 }))
	c.AttachToType("d", "c", other.Model(true))
	made := func(mnemonic string) ir.Type { return c.DialectTypeOf(d, mnemonic, c.I64Attr(3)) }
	for _, test := range []struct {
		t     ir.Type
		size  int64
		other bool
	}{{made("a"), 3, false}, {made("b"), 7, true}, {made("c"), 0, true}, {made("d"), 0, false}, {ir.F32, 0, false}} {
		var n int64
		if m, ok := size.OfType(test.t); ok {
			n = m(test.t.(*ir.DialectType))
		}
		if _, ok := other.OfType(test.t); n != test.size || ok != test.other {
			t.Errorf("%s: size %d, other %v", test.t, n, ok)
		}
	}
	if _, ok := size.OfType(ir.NewContext(d).DialectTypeOf(d, "b")); ok {
		t.Error("a model was attached to another context as well")
	}
	defer func() {
		if recover() == nil {
			t.Error("a model was attached to a type that was used before")
		}
	}()
	c.AttachToType("d", "a", other.Model(true))
}
