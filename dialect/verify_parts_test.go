package dialect_test

import (
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
)

// Verifying functions one by one, and then what is around them, finds what verifying
// the whole program does.
func TestVerifyParts(t *testing.T) {
	const callee = "func.func private @g(i32)\n"
	for _, c := range []struct{ text, want string }{
		{callee + "func.func @f(%a: i32) { call @g(%a) : (i32) -> () return }", ""},
		{callee + "func.func @f(%a: i64) { call @g(%a) : (i64) -> () return }", "operand type mismatch"},
		{"module { " + callee + "func.func @f(%a: i64) { call @g(%a) : (i64) -> () return } }", "operand type mismatch"},
		{"func.func @f(%a: i32) { call @g(%a) : (i32) -> () return }", "does not reference a valid function"},
		{callee + callee, "redefinition of symbol named 'g'"},
		{`module { func.func @f() { return } } memref.global "private" @x : memref<2xi8> = dense<1> memref.global @x : memref<1xi8>`, "redefinition of symbol named 'x'"},
	} {
		m, err := asm.Parse(ir.NewContext(dialect.All()...), []byte(c.text), "test.mlir", asm.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		v := ir.NewPartVerifier(m.Context())
		parts := map[*ir.Op][]*ir.Op{}
		for _, p := range ir.Divide(m, func(*ir.Op) bool { return true }) {
			users, err := v.Verify(p, 1)
			if err != nil {
				t.Errorf("%s: %v", c.text, err)
			}
			if got := ir.SymbolUsers(p); len(got) != len(users) {
				t.Errorf("%s: %d symbol users, want %d", c.text, len(got), len(users))
			}
			parts[p] = users
		}
		err = ir.VerifyAround(m, parts)
		whole := ir.Verify(m)
		if (err == nil) != (whole == nil) || err != nil && err.Error() != whole.Error() {
			t.Errorf("%s: got %v, want %v", c.text, err, whole)
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}
