package interp_test

import (
	"strings"
	"testing"

	"freehold/exec/interp"
)

// TestPoison runs functions that make poison: to compute with it, to pass it on
// and to store it is fine, to depend on it is not.
func TestPoison(t *testing.T) {
	const (
		shift = "%n = arith.constant 8 : i8\n%p = arith.shli %n, %n : i8\n"
		flag  = "%u = ub.poison : i1\n"
	)
	tests := []struct{ name, body, want string }{
		{"a shift by the width is returned", shift + "return %p : i8", "operand #0 is poison"},
		{"what is computed from poison", shift + "%q = arith.addi %p, %n : i8\nreturn %q : i8", "operand #0 is poison"},
		{"poison that nobody needs", shift + "%q = arith.addi %p, %n : i8\nreturn %n : i8", "8"},
		{"poison that is not selected", shift + "%c = arith.constant false\n%q = arith.select %c, %p, %n : i8\nreturn %q : i8", "8"},
		{"poison that is selected", shift + "%c = arith.constant true\n%q = arith.select %c, %p, %n : i8\nreturn %q : i8", "operand #0 is poison"},
		{"selection by poison", flag + "%n = arith.constant 8 : i8\n%q = arith.select %u, %n, %n : i8\nreturn %q : i8", "operand #0 is poison"},
		{"a branch", flag + "cf.cond_br %u, ^a, ^a\n^a:\n%n = arith.constant 8 : i8\nreturn %n : i8", "operand #0 is poison"},
		{"an argument of a block", shift + "cf.br ^a(%p, %n : i8, i8)\n^a(%x: i8, %y: i8):\nreturn %y : i8", "8"},
		{"an argument of a block that is needed", shift + "cf.br ^a(%p, %n : i8, i8)\n^a(%x: i8, %y: i8):\nreturn %x : i8", "operand #0 is poison"},
		{"a condition", flag + "%n = arith.constant 8 : i8\nscf.if %u {\n}\nreturn %n : i8", "operand #0 is poison"},
		{"a result of a region", shift + "%c = arith.constant true\n%q, %r = scf.if %c -> (i8, i8) { scf.yield %p, %n : i8, i8 } else { scf.yield %n, %n : i8, i8 }\nreturn %r : i8", "8"},
		{"a result of a region that is needed", shift + "%c = arith.constant true\n%q, %r = scf.if %c -> (i8, i8) { scf.yield %p, %n : i8, i8 } else { scf.yield %n, %n : i8, i8 }\nreturn %q : i8", "operand #0 is poison"},
		{"carried by a loop", shift + `%c0 = arith.constant 0 : index
			%c1 = arith.constant 1 : index
			%c3 = arith.constant 3 : index
			%x, %y = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %p, %b = %n) -> (i8, i8) { scf.yield %b, %b : i8, i8 }
			return %x : i8`, "8"},
		{"an index", "%x = ub.poison : index\n%m = memref.alloca() : memref<4xi8>\n%v = memref.load %m[%x] : memref<4xi8>\nreturn %v : i8", "operand #1 is poison"},
		{"an operand of a map", "%x = ub.poison : index\n%i = affine.apply affine_map<(d0) -> (d0)>(%x)\n%m = memref.alloca() : memref<4xi8>\n%v = memref.load %m[%i] : memref<4xi8>\nreturn %v : i8", "operand #0 is poison"},
		{"a bound of a loop", "%x = ub.poison : index\n%c1 = arith.constant 1 : index\n%n = arith.constant 8 : i8\nscf.for %i = %c1 to %x step %c1 {\n}\nreturn %n : i8", "operand #1 is poison"},
		{"a divisor", "%x = ub.poison : i8\n%n = arith.constant 8 : i8\n%q = arith.divui %n, %x : i8\nreturn %n : i8", "the divisor is poison"},
		{"stored and overwritten", shift + "%m = memref.alloca() : memref<i8>\nmemref.store %p, %m[] : memref<i8>\nmemref.store %n, %m[] : memref<i8>\n%v = memref.load %m[] : memref<i8>\nreturn %v : i8", "8"},
		{"stored and read", shift + "%m = memref.alloca() : memref<i8>\nmemref.store %p, %m[] : memref<i8>\n%v = memref.load %m[] : memref<i8>\nreturn %v : i8", "uninitialized memory is read"},
		{"passed to a function", "%x = ub.poison : i8\n%r = func.call @id(%x) : (i8) -> i8\nreturn %r : i8", "operand #0 is poison"},
		{"signed overflow", "%n = arith.constant 127 : i8\n%p = arith.addi %n, %n overflow<nsw> : i8\nreturn %p : i8", "operand #0 is poison"},
		{"no signed overflow", "%n = arith.constant 100 : i8\n%x = arith.constant -100 : i8\n%p = arith.addi %n, %x overflow<nsw> : i8\nreturn %p : i8", "0"},
		{"unsigned overflow", "%n = arith.constant 100 : i8\n%x = arith.constant -100 : i8\n%p = arith.addi %n, %x overflow<nuw> : i8\nreturn %p : i8", "operand #0 is poison"},
		{"overflow of a product", "%n = arith.constant 16 : i8\n%x = arith.constant -8 : i8\n%p = arith.muli %n, %x overflow<nsw> : i8\nreturn %p : i8", "-128"},
		{"overflow of wide numbers", "%n = arith.constant 1267650600228229401496703205375 : i101\n%p = arith.addi %n, %n overflow<nsw> : i101\n%q = arith.trunci %p : i101 to i8\nreturn %q : i8", "operand #0 is poison"},
		{"no NaNs", "%n = arith.constant 0x7fc00000 : f32\n%p = arith.negf %n fastmath<nnan> : f32\n%q = arith.fptosi %p : f32 to i8\nreturn %q : i8", "operand #0 is poison"},
		{"a conversion that doesn't fit", "%n = arith.constant 300.0 : f32\n%q = arith.fptosi %n : f32 to i8\nreturn %q : i8", "operand #0 is poison"},
		{"an element of a vector", `%n = arith.constant dense<[1, 9, 2]> : vector<3xi8>
			%s = arith.constant dense<1> : vector<3xi8>
			%v = arith.shli %s, %n : vector<3xi8>
			%x = vector.extract %v[2] : i8 from vector<3xi8>
			return %x : i8`, "4"},
		{"an element of a vector that is needed", `%n = arith.constant dense<[1, 9, 2]> : vector<3xi8>
			%s = arith.constant dense<1> : vector<3xi8>
			%v = arith.shli %s, %n : vector<3xi8>
			%x = vector.extract %v[1] : i8 from vector<3xi8>
			return %x : i8`, "operand #0 is poison"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := "func.func private @id(%x: i8) -> i8 { return %x : i8 }\nfunc.func @main() -> i8 {\n" + tt.body + "\n}"
			res := runText(t, src, interp.Options{})
			got := ""
			if len(res.Findings) > 0 {
				got = res.Findings[0].Message
			} else {
				got = res.Values[0].Text()
			}
			if !strings.HasPrefix(got, tt.want) {
				t.Errorf("got %q, not %q", got, tt.want)
			}
		})
	}
}
