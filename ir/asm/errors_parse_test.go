package asm

import (
	"strings"
	"testing"

	"freehold/ir"
)

// testModule is a module without a syntax of its own.
var testBuiltin = &ir.Dialect{Name: "builtin", Ops: func() []*ir.OpDef {
	return []*ir.OpDef{{
		ID: ir.NewOpID("builtin.module"), Regions: []ir.RegionDef{{Name: "body", Sized: 1}},
		Traits: ir.TraitIsolatedFromAbove | ir.TraitSingleBlock | ir.TraitNoTerminator | ir.TraitSymbolTable,
	}}
}}

// TestParseErrors checks messages and places: the caret line is what Render puts
// below the line of the error.
func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{`"a.b"(%x) : (i32) -> ()`, `
"a.b"(%x) : (i32) -> ()
      ^ use of undeclared SSA value name`},
		{`"a.b"(%x) : (i32, i32) -> ()`, `
"a.b"(%x) : (i32, i32) -> ()
            ^ expected 1 operand type` + "\x00" + ` but had 2`},
		{"%0 = \"a.b\"() : () -> i32\n%0 = \"a.b\"() : () -> i32", `
%0 = "a.b"() : () -> i32
^ redefinition of SSA value '%0'`},
		{"%0 = \"a.b\"() : () -> i32\n\"a.b\"(%0) : (i8) -> ()", `
"a.b"(%0) : (i8) -> ()
      ^ use of value '%0' expects different type than prior uses: 'i8' vs 'i32'`},
		{"\"a.b\"(%0) : (i8) -> ()\n%0 = \"a.b\"() : () -> i32", `
%0 = "a.b"() : () -> i32
^ definition of SSA value '%0#0' has type 'i32'`},
		{`%0:2 = "a.b"() : () -> i32`, `
%0:2 = "a.b"() : () -> i32
^ operation defines 1 results but was provided 2 to bind`},
		{`%0 = "a.b"() : () -> ()`, `
%0 = "a.b"() : () -> ()
^ cannot name an operation with no results`},
		{`"a.b"()[^bb] : () -> ()`, `
"a.b"()[^bb] : () -> ()
        ^ reference to an undefined block`},
		{"\"a.b\"() ({\n^a:\n^a:\n}) : () -> ()", `
^a:
^ redefinition of block '^a'`},
		{"\"a.b\"() ({ // comment\n\n", `
"a.b"() ({ // comment
          ^ expected operation name in quotes`},
		{"a.b", "\na.b\n^ Dialect `a' not found for custom op 'a.b' "},
		{"b", "\nb\n^ custom op 'b' is unknown (tried 'builtin.b' as well)"},
		{`"a.b"() {a = tensor<4x4f32>} : () -> ()`, `
"a.b"() {a = tensor<4x4f32>} : () -> ()
                       ^ expected 'x' in dimension list`},
		{`"a.b"() {a = 1, a = 2} : () -> ()`, `
"a.b"() {a = 1, a = 2} : () -> ()
                ^ duplicate key 'a' in dictionary attribute`},
		{`"a.b"() {a = 300 : i8} : () -> ()`, `
"a.b"() {a = 300 : i8} : () -> ()
             ^ integer constant out of range for attribute`},
		{`"a.b"() {a = #x} : () -> ()`, `
"a.b"() {a = #x} : () -> ()
               ^ undefined symbol alias id 'x'`},
		{"#x = #x", `
#x = #x
      ^ undefined symbol alias id 'x'`},
		{"#x = 1\n#x = 2", `
#x = 2
^ redefinition of attribute alias id 'x'`},
		{`"a.b"() : () -> () loc(#x)`, `
"a.b"() : () -> () loc(#x)
                       ^ operation location alias was never defined`},
		{`"a.b"() {a = dense<[[1], [2, 3]]> : tensor<2x2xi8>} : () -> ()`, `
"a.b"() {a = dense<[[1], [2, 3]]> : tensor<2x2xi8>} : () -> ()
                               ^ tensor literal is invalid; ranks are not consistent between elements`},
		{`"a`, "\n\"a\n  ^ expected '\"' in string literal"},
		{`"a.b"() {a = "\q"} : () -> ()`, `
"a.b"() {a = "\q"} : () -> ()
              ^ unknown escape in string literal`},
		{"~", "\n~\n^ unexpected character"},
		{strings.Repeat("-", 5), "\n-----\n^ expected operation name in quotes"},
	} {
		ctx := ir.NewContext(testBuiltin)
		ctx.AllowUnregistered = true
		_, err := Parse(ctx, []byte(c.src), "f", ParseOptions{})
		if err == nil {
			t.Errorf("%s: no error", c.src)
			continue
		}
		lines := strings.Split(string(Render(nil, err, func(string) []byte { return []byte(c.src) })), "\n")
		_, msg, _ := strings.Cut(lines[0], "error: ")
		if got := "\n" + lines[1] + "\n" + lines[2] + " " + msg; got != c.want {
			t.Errorf("%s\ngot%s\nwant%s", c.src, got, c.want)
		}
	}
}

// TestParseDepth checks that nesting of any kind ends in an error.
func TestParseDepth(t *testing.T) {
	const n = 1 << 20
	ctx := ir.NewContext(testBuiltin)
	ctx.AllowUnregistered = true
	for _, c := range []struct{ prefix, rep string }{
		{"", `"a.b"() ({`},
		{`"a.b"() {a = `, "["},
		{`"a.b"() {a = `, "{a="},
		{`"a.b"() {a = `, "tuple<"},
		{`"a.b"() {a = `, "("},
		{`"a.b"() {a = `, "() -> ("},
		{`"a.b"() {a = dense<`, "["},
		{`"a.b"() {a = dense<`, "("},
		{`"a.b"() {a = affine_map<() -> (`, "("},
		{`"a.b"() {a = affine_map<() -> (`, "-"},
		{`"a.b"() {a = loc(`, "fused["},
		{`"a.b"() {a = loc(`, "fused<loc("},
		{`"a.b"() {a = loc(`, "callsite("},
		{`"a.b"() {a = `, "!a<"},
		{`"a.b"() {a = `, "tensor<*xtensor<4xf32,"},
		{`"a.b"() : () -> () loc(`, `"a"(`},
	} {
		if _, err := Parse(ctx, []byte(c.prefix+strings.Repeat(c.rep, n)), "f", ParseOptions{}); err == nil {
			t.Errorf("%s %s...: no error", c.prefix, c.rep)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`%0:2 = "a.b"(%1#1)[^bb1] <{p = 1}> ({^bb1(%x: i32 loc("a")): }) {a = dense<[1]> : tensor<1xi8>} : (i8) -> (i32, f32) loc(#l)`,
		"#m = affine_map<(d0)[s0] -> (d0 floordiv s0)>\n!t = memref<4xf32, #m>\n#l = loc(callsite(unknown at fused<1>[\"x\":1:2]))",
		`{-# dialect_resources: {builtin: {a: "0x0400000001"}}, external_resources: {x: {y: true, z: "s"}} #-}`,
		`"a.b"() {a = sparse<[[0]], [1]> : tensor<1xi8>, b = array<f32: 1.0>, c = strided<[?], offset: 1>, d = -0x1p} : () -> ()`,
		`"a.b"() {a = !x.y<a<b>>, b = #x<"y"> : i1, c = @a::@"b", d = dense<(1,2)> : vector<[2]xcomplex<i4>>} : () -> ()`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		ctx := ir.NewContext(testBuiltin)
		ctx.AllowUnregistered = true
		d, err := ParseDocument(ctx, src, "f", ParseOptions{})
		if err != nil {
			if len(Render(nil, err, func(string) []byte { return src })) == 0 {
				t.Fatal("an error without a message")
			}
			return
		}
		PrintDocument(d, PrintOptions{Generic: true})
	})
}
