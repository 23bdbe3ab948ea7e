package asm

import (
	"testing"

	"freehold/ir"
)

// roundTrip lists texts that a parser must accept, with what String gives back
// where that differs.
type roundTrip struct{ in, out string }

func (r roundTrip) want() string {
	if r.out == "" {
		return r.in
	}
	return r.out
}

func TestParseType(t *testing.T) {
	ctx := ir.NewContext()
	ctx.AllowUnregistered = true
	for _, c := range []roundTrip{
		{"i1", ""}, {"si8", ""}, {"ui17", ""}, {"i16777215", ""}, {"index", ""}, {"none", ""},
		{"bf16", ""}, {"f8E4M3FN", ""}, {"tf32", ""}, {"f128", ""},
		{"complex<f32>", ""},
		{"tuple<>", ""}, {"tuple<i1,tuple<f32>>", "tuple<i1, tuple<f32>>"},
		{"() -> ()", ""}, {"(i32)->i32", "(i32) -> i32"}, {"() -> (() -> ())", ""},
		{"vector<f32>", ""}, {"vector<4x[8]xf32>", ""},
		{"tensor<f32>", ""}, {"tensor<4x?x0xf32>", ""}, {"tensor<0x4xi8>", ""}, {"tensor<*xf32>", ""},
		{"tensor<2 x 3 x f32>", "tensor<2x3xf32>"}, {"tensor<4xf32, 1>", "tensor<4xf32, 1 : i64>"},
		{"memref<4xf32>", ""}, {"memref<4xf32, 1>", ""}, {"memref<*xf32, 2>", ""}, {"memref<4xf32, 0>", "memref<4xf32>"},
		{"memref<?xf32, strided<[?], offset: ?>, 3>", ""},
		{"memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>", ""},
		{"memref<4xmemref<*xf32>>", ""},
		{"!a.b", ""}, {"!a.b<c, [d], {e -> f}>", ""}, {"!a<b>", "!a.b"}, {`!a.b<"}>">`, ""},
	} {
		got, err := ParseType(ctx, c.in)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
		} else if got.String() != c.want() {
			t.Errorf("%s: got %s, want %s", c.in, got, c.want())
		}
	}
}

func TestParseAttr(t *testing.T) {
	ctx := ir.NewContext()
	ctx.AllowUnregistered = true
	for _, c := range []roundTrip{
		{"true", ""}, {"false", ""}, {"unit", ""}, {"1", "1 : i64"}, {"-1 : i8", ""}, {"255 : i8", "-1 : i8"},
		{"0xFF : ui8", "255 : ui8"}, {"-170141183460469231731687303715884105728 : i128", ""},
		{"1.5", "1.500000e+00 : f64"}, {"0x7FC00000 : f32", ""}, {"1.0 : bf16", "1.000000e+00 : bf16"},
		{`"a\22\n"`, `"a\22\0A"`}, {`"a" : i32`, ""},
		{"[1 : i8, [], unit]", ""}, {`{b, a = 1 : i8, "c d" = f32}`, `{a = 1 : i8, b, "c d" = f32}`},
		{"@a", ""}, {`@a::@"b c"`, ""}, {`@"a"`, "@a"},
		{"affine_map<(x, y)[s] -> (x + y * 2 - s, -x, x mod 3)>", "affine_map<(d0, d1)[s0] -> (d0 + d1 * 2 - s0, -d0, d0 mod 3)>"},
		{"affine_set<(d0) : (d0 <= 4, d0 == 1)>", "affine_set<(d0) : (-d0 + 4 >= 0, d0 - 1 == 0)>"},
		{"dense<1> : tensor<2xi8>", ""}, {"dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>", ""},
		{"dense<> : tensor<0xi8>", ""}, {"dense<1.0> : tensor<f32>", "dense<1.000000e+00> : tensor<f32>"},
		{`dense<"0x01000200"> : tensor<2xi16>`, "dense<[1, 2]> : tensor<2xi16>"},
		{`dense<"0x05"> : tensor<3xi1>`, "dense<[true, false, true]> : tensor<3xi1>"},
		{"dense<(1,2)> : tensor<complex<i8>>", ""}, {`dense<["a", "b"]> : tensor<2x!a.b>`, ""},
		{`dense<[["a", "a"]]> : tensor<1x2x!a.b>`, `dense<"a"> : tensor<1x2x!a.b>`},
		{"sparse<[[0, 1]], 5> : tensor<2x2xi8>", ""}, {"sparse<[0, 2], [1, 2]> : tensor<3xi8>", ""}, {"sparse<[1], [2]> : tensor<3xi8>", "sparse<1, 2> : tensor<3xi8>"},
		{`sparse<[[0, 1], [1, 1]], ["a", "b"]> : tensor<2x2x!a.b>`, ""}, {`sparse<[0, 2], ["a", "a"]> : tensor<3x!a.b>`, `sparse<[0, 2], "a"> : tensor<3x!a.b>`},
		{"array<i8>", ""}, {"array<i1: true, false>", ""}, {"array<f32: 1.0>", "array<f32: 1.000000e+00>"},
		{"dense_resource<k> : tensor<2xi8>", ""},
		{"strided<[2, ?], offset: 1>", ""}, {"tensor<4xf32>", ""}, {"(i32) -> ()", ""},
		{"#a.b<c>", ""}, {"#a<b> : i32", "#a.b : i32"},
		{`loc("f":1:2)`, ""}, {`loc(callsite("a" at fused<unit>["b", "c":1:2]))`, ""}, {`loc("a"("b":1:2))`, ""},
	} {
		got, err := ParseAttr(ctx, c.in)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
		} else if got.String() != c.want() {
			t.Errorf("%s: got %s, want %s", c.in, got, c.want())
		}
	}
}
