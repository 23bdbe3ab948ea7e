package interp_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/exec/interp"
	"freehold/ir"
	"freehold/ir/asm"
)

func typeOf(t testing.TB, text string) (*ir.Context, ir.Type) {
	t.Helper()
	ctx := ir.NewContext(dialect.All()...)
	typ, err := asm.ParseType(ctx, text)
	if err != nil {
		t.Fatal(err)
	}
	return ctx, typ
}

func TestParseAndText(t *testing.T) {
	tests := []struct{ typ, arg, want string }{
		{"i32", "-3", "-3"},
		{"i8", "255", "-1"},
		{"ui8", "255", "255"},
		{"i1", "true", "true"},
		{"index", "0x10", "16"},
		{"i100", "-1", "-1"},
		{"f128", "0.1", "0.1"},
		{"f80", "-inf", "-Inf"},
		{"f80", "nan", "NaN"},
		{"complex<f32>", "1.5-2i", "(1.5, -2)"},
		{"tensor<2xcomplex<f128>>", "[1i, 2]", "[(0, 1), (2, 0)]"},
		{"tensor<2xf80>", "zeros", "[0, 0]"},
		{"f32", "2.5", "2.5"},
		{"f32", "0.1", "0.1"},
		{"f64", "1e300", "1e+300"},
		{"f16", "1e9", "+Inf"},
		{"bf16", "nan", "NaN"},
		{"tensor<2x2xi32>", "[[1, 2], [3, 4]]", "[[1, 2],\n [3, 4]]"},
		{"tensor<?x?xf32>", "[[1,2,3]]", "[[1, 2, 3]]"},
		{"tensor<f32>", "7", "7"},
		{"tensor<0xf32>", "[]", "[]"},
		{"memref<2xi1>", "[true, false]", "[true, false]"},
		{"vector<2xf32>", "[1, 2]", "[1, 2]"},
		{"tensor<2xf32>", "dense<[1.0, 2.0]>", "[1, 2]"},
		{"tensor<?x2xi64>", "zeros:1x2", "[[0, 0]]"},
		{"tensor<2x2x1xi32>", "[[[1],[2]],[[3],[4]]]", "[[[1],\n  [2]],\n [[3],\n  [4]]]"},
		{"tensor<600xi32>", "zeros", "[0, 0, 0, ..., 0, 0, 0]"},
	}
	for _, tt := range tests {
		ctx, typ := typeOf(t, tt.typ)
		v, err := interp.Parse(ctx, tt.arg, typ, nil)
		if err != nil {
			t.Errorf("%s of %s: %v", tt.arg, tt.typ, err)
			continue
		}
		if got := v.Text(); got != tt.want {
			t.Errorf("%s of %s: got %q, not %q", tt.arg, tt.typ, got, tt.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ typ, arg, want string }{
		{"i8", "256", `"256" is not a value of type 'i8'`},
		{"i32", "1.5", `"1.5" is not a value of type 'i32'`},
		{"f32", "one", `"one" is not a value of type 'f32'`},
		{"tensor<2xi32>", "[1, 2", "a list is not closed"},
		{"tensor<2xi32>", "[1] 2", `"2" follows the value`},
		{"tensor<2x2xi32>", "[[1, 2], 3]", "lists are nested unevenly"},
		{"tensor<?xi32>", "dense<1>", "a dense literal needs a type with static sizes, not 'tensor<?xi32>'"},
		{"tensor<?xi32>", "zeros:-1", `"-1" is not a list of sizes such as 4x8`},
		{"tensor<?xi32>", "zeros:99999999999x1", "a value of rank 1 is needed, not 2"},
		{"tensor<?xi32>", "zeros:99999999999", "a value of type 'tensor<?xi32>' is too large"},
		{"tuple<i32>", "random", "there are no random values of type 'tuple<i32>'"},
	}
	for _, tt := range tests {
		ctx, typ := typeOf(t, tt.typ)
		_, err := interp.Parse(ctx, tt.arg, typ, nil)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s of %s: got %v, not %s", tt.arg, tt.typ, err, tt.want)
		}
	}
}

func TestNpyRoundTrip(t *testing.T) {
	for _, text := range []string{"tensor<2x3xf32>", "tensor<4xf64>", "tensor<3xf16>", "tensor<2x2xi8>", "tensor<5xi64>", "tensor<3xi1>", "tensor<2xui16>", "tensor<f32>", "f32", "i32"} {
		_, typ := typeOf(t, text)
		v, err := interp.Random(typ, nil, rand.New(rand.NewPCG(1, 2)))
		if err != nil {
			t.Fatal(err)
		}
		data, err := interp.WriteNpy(v)
		if err != nil {
			t.Fatal(err)
		}
		back, err := interp.ReadNpy(data, ir.ElementType(typ))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		got := interp.Value{Type: typ, Tensor: back}
		if v.Tensor == nil {
			if got.Text() != v.Text() {
				t.Errorf("%s: got %s, not %s", text, got.Text(), v.Text())
			}
			continue
		}
		if !interp.Equal([]interp.Value{v}, []interp.Value{got}) {
			t.Errorf("%s: got %s, not %s", text, got.Text(), v.Text())
		}
	}
}

// TestResultsByHand runs small programs whose results are known.
func TestResultsByHand(t *testing.T) {
	tests := []struct {
		name, src string
		args      []string
		want      []string
	}{
		{"loop with two carried values", `func.func @fib(%n: index) -> i64 {
			%c0 = arith.constant 0 : index
			%c1 = arith.constant 1 : index
			%a = arith.constant 0 : i64
			%b = arith.constant 1 : i64
			%r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (i64, i64) {
				%s = arith.addi %x, %y : i64
				scf.yield %y, %s : i64, i64
			}
			return %r#0 : i64
		}`, []string{"10"}, []string{"55"}},
		{"while", `func.func @log2(%n: i32) -> i32 {
			%c0 = arith.constant 0 : i32
			%c1 = arith.constant 1 : i32
			%r:2 = scf.while (%x = %n, %k = %c0) : (i32, i32) -> (i32, i32) {
				%more = arith.cmpi ugt, %x, %c1 : i32
				scf.condition(%more) %x, %k : i32, i32
			} do {
			^bb0(%x: i32, %k: i32):
				%y = arith.shrui %x, %c1 : i32
				%l = arith.addi %k, %c1 : i32
				scf.yield %y, %l : i32, i32
			}
			return %r#1 : i32
		}`, []string{"1000"}, []string{"9"}},
		{"blocks that swap arguments", `func.func @gcd(%a: i32, %b: i32) -> i32 {
			%c0 = arith.constant 0 : i32
			cf.br ^head(%a, %b : i32, i32)
		^head(%x: i32, %y: i32):
			%done = arith.cmpi eq, %y, %c0 : i32
			cf.cond_br %done, ^exit, ^next
		^next:
			%r = arith.remui %x, %y : i32
			cf.br ^head(%y, %r : i32, i32)
		^exit:
			return %x : i32
		}`, []string{"48", "36"}, []string{"12"}},
		{"a tensor is a value", `func.func @f(%t: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
			%c0 = arith.constant 0 : index
			%x = arith.constant 9 : i32
			%u = tensor.insert %x into %t[%c0] : tensor<2xi32>
			return %t, %u : tensor<2xi32>, tensor<2xi32>
		}`, []string{"[1, 2]"}, []string{"[1, 2]", "[9, 2]"}},
		{"a tensor carried by a loop is a value", `func.func @f(%t: tensor<3xindex>) -> (tensor<3xindex>, tensor<3xindex>) {
			%c0 = arith.constant 0 : index
			%c1 = arith.constant 1 : index
			%c3 = arith.constant 3 : index
			%r = scf.for %i = %c0 to %c3 step %c1 iter_args(%u = %t) -> tensor<3xindex> {
				%v = tensor.insert %i into %u[%i] : tensor<3xindex>
				scf.yield %v : tensor<3xindex>
			}
			return %t, %r : tensor<3xindex>, tensor<3xindex>
		}`, []string{"[7, 7, 7]"}, []string{"[7, 7, 7]", "[0, 1, 2]"}},
		{"branches that both take a tensor over", `func.func @f(%t: tensor<2xi32>, %c: i1) -> (tensor<2xi32>, tensor<2xi32>) {
			%c0 = arith.constant 0 : index
			%c1 = arith.constant 1 : index
			%x = arith.constant 9 : i32
			%own = tensor.insert %x into %t[%c0] : tensor<2xi32>
			%r = scf.if %c -> tensor<2xi32> {
				%u = tensor.insert %x into %own[%c1] : tensor<2xi32>
				scf.yield %u : tensor<2xi32>
			} else {
				scf.yield %own : tensor<2xi32>
			}
			%s = scf.if %c -> tensor<2xi32> {
				%u = tensor.insert %x into %t[%c1] : tensor<2xi32>
				scf.yield %u : tensor<2xi32>
			} else {
				scf.yield %t : tensor<2xi32>
			}
			return %r, %s : tensor<2xi32>, tensor<2xi32>
		}`, []string{"[1, 2]", "true"}, []string{"[9, 9]", "[1, 9]"}},
		{"recursion and calls", `module {
			func.func @main(%n: i64) -> i64 {
				%r = func.call @fact(%n) : (i64) -> i64
				return %r : i64
			}
			func.func private @fact(%n: i64) -> i64 {
				%c1 = arith.constant 1 : i64
				%small = arith.cmpi sle, %n, %c1 : i64
				%r = scf.if %small -> i64 {
					scf.yield %c1 : i64
				} else {
					%m = arith.subi %n, %c1 : i64
					%f = func.call @fact(%m) : (i64) -> i64
					%p = arith.muli %n, %f : i64
					scf.yield %p : i64
				}
				return %r : i64
			}
		}`, []string{"10"}, []string{"3628800"}},
		{"wide integers", `func.func @f(%a: i128, %b: i128) -> (i128, i1) {
			%p = arith.muli %a, %b : i128
			%c = arith.cmpi slt, %p, %a : i128
			return %p, %c : i128, i1
		}`, []string{"-1000000000000000000000", "3"}, []string{"-3000000000000000000000", "true"}},
		{"parallel reduction", `func.func @f(%n: index) -> index {
			%c0 = arith.constant 0 : index
			%c1 = arith.constant 1 : index
			%r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%c0) -> index {
				scf.reduce(%i : index) {
				^bb0(%x: index, %y: index):
					%s = arith.addi %x, %y : index
					scf.reduce.return %s : index
				}
			}
			return %r : index
		}`, []string{"5"}, []string{"10"}},
		{"forall", `func.func @f() -> tensor<2x3xindex> {
			%e = tensor.empty() : tensor<2x3xindex>
			%r = scf.forall (%i, %j) in (2, 3) shared_outs(%o = %e) -> tensor<2x3xindex> {
				%s = arith.addi %i, %j : index
				%t = tensor.from_elements %s : tensor<1x1xindex>
				scf.forall.in_parallel {
					tensor.parallel_insert_slice %t into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xindex> into tensor<2x3xindex>
				}
			}
			return %r : tensor<2x3xindex>
		}`, nil, []string{"[[0, 1, 2],\n [1, 2, 3]]"}},
		{"pad", `func.func @f(%t: tensor<2xi32>) -> tensor<5xi32> {
			%z = arith.constant 0 : i32
			%r = tensor.pad %t low[1] high[2] {
			^bb0(%i: index):
				tensor.yield %z : i32
			} : tensor<2xi32> to tensor<5xi32>
			return %r : tensor<5xi32>
		}`, []string{"[1, 2]"}, []string{"[0, 1, 2, 0, 0]"}},
		{"pack", `func.func @f(%t: tensor<3x2xi32>, %d: tensor<2x1x2x2xi32>) -> tensor<2x1x2x2xi32> {
			%z = arith.constant 0 : i32
			%r = tensor.pack %t padding_value(%z : i32) inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %d : tensor<3x2xi32> -> tensor<2x1x2x2xi32>
			return %r : tensor<2x1x2x2xi32>
		}`, []string{"[[1, 2], [3, 4], [5, 6]]", "zeros"}, []string{"[[[[1, 2],\n   [3, 4]]],\n [[[5, 6],\n   [0, 0]]]]"}},
		{"views share memory", `func.func @f(%m: memref<2x3xi32>) -> i32 {
			%c0 = arith.constant 0 : index
			%c1 = arith.constant 1 : index
			%x = arith.constant 42 : i32
			%s = memref.subview %m[1, 1] [1, 2] [1, 1] : memref<2x3xi32> to memref<2xi32, strided<[1], offset: 4>>
			memref.store %x, %s[%c1] : memref<2xi32, strided<[1], offset: 4>>
			%flat = memref.collapse_shape %m [[0, 1]] : memref<2x3xi32> into memref<6xi32>
			%c5 = arith.constant 5 : index
			%v = memref.load %flat[%c5] : memref<6xi32>
			return %v : i32
		}`, []string{"[[1, 2, 3], [4, 5, 6]]"}, []string{"42"}},
		{"a buffer of bytes seen as floats", `func.func @f() -> f32 {
			%c0 = arith.constant 0 : index
			%c4 = arith.constant 4 : index
			%c1 = arith.constant 1 : index
			%x = arith.constant 1.5 : f32
			%b = memref.alloc() : memref<16xi8>
			%v = memref.view %b[%c4][] : memref<16xi8> to memref<2xf32>
			memref.store %x, %v[%c1] : memref<2xf32>
			%w = memref.view %b[%c0][] : memref<16xi8> to memref<4xf32>
			%c2 = arith.constant 2 : index
			%r = memref.load %w[%c2] : memref<4xf32>
			memref.dealloc %b : memref<16xi8>
			return %r : f32
		}`, nil, []string{"1.5"}},
		{"affine", `func.func @f(%m: memref<8xi32>) -> (i32, index) {
			%z = arith.constant 0 : i32
			%sum = affine.for %i = 0 to 8 step 2 iter_args(%s = %z) -> i32 {
				%v = affine.load %m[7 - %i] : memref<8xi32>
				%t = arith.addi %s, %v : i32
				affine.yield %t : i32
			}
			%c5 = arith.constant 5 : index
			%x = affine.apply affine_map<(d0) -> ((d0 * -3) floordiv 4 + (d0 mod 3) + (d0 ceildiv 2))>(%c5)
			return %sum, %x : i32, index
		}`, []string{"[1, 2, 3, 4, 5, 6, 7, 8]"}, []string{"20", "1"}},
		{"in place, shifted", `func.func @f(%m: memref<5xi32>) -> memref<5xi32> {
			%a = memref.subview %m[0] [4] [1] : memref<5xi32> to memref<4xi32, strided<[1]>>
			%b = memref.subview %m[1] [4] [1] : memref<5xi32> to memref<4xi32, strided<[1], offset: 1>>
			linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
				ins(%a : memref<4xi32, strided<[1]>>) outs(%b : memref<4xi32, strided<[1], offset: 1>>) {
			^bb0(%x: i32, %y: i32):
				%s = arith.addi %x, %y : i32
				linalg.yield %s : i32
			}
			return %m : memref<5xi32>
		}`, []string{"[1, 1, 1, 1, 1]"}, []string{"[1, 2, 3, 4, 5]"}},
		{"indices of a loop nest", `func.func @f(%t: tensor<2x5xindex>) -> tensor<2x5xindex> {
			%r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%t : tensor<2x5xindex>) {
			^bb0(%x: index):
				%i = linalg.index 0 : index
				%j = linalg.index 1 : index
				%c10 = arith.constant 10 : index
				%k = arith.muli %i, %c10 : index
				%s = arith.addi %k, %j : index
				linalg.yield %s : index
			} -> tensor<2x5xindex>
			return %r : tensor<2x5xindex>
		}`, []string{"zeros"}, []string{"[[0, 1, 2, 3, 4],\n [10, 11, 12, 13, 14]]"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, oneByOne := range []bool{false, true} {
				res := runText(t, tt.src, interp.Options{OneByOne: oneByOne}, tt.args...)
				if got := describe(res.Findings); got != "" {
					t.Fatal(got)
				}
				for i, want := range tt.want {
					if got := res.Values[i].Text(); got != want {
						t.Errorf("result %d: got %s, not %s", i, got, want)
					}
				}
			}
		})
	}
}

// TestArgumentsOfOtherTypes checks that what isn't of an argument's type is refused.
func TestArgumentsOfOtherTypes(t *testing.T) {
	for _, tt := range []struct{ param, typ, text, want string }{
		{"f32", "f64", "1.5", "argument 0: a value of type 'f32' is needed, not 'f64'"},
		{"i32", "f32", "1", "argument 0: a value of type 'i32' is needed, not 'f32'"},
		{"index", "i64", "1", "argument 0: a value of type 'index' is needed, not 'i64'"},
		{"complex<f32>", "complex<f64>", "1i", "argument 0: a value of type 'complex<f32>' is needed, not 'complex<f64>'"},
		{"i100", "i128", "1", "argument 0: a value of type 'i100' is needed, not 'i128'"},
		{"tensor<2xf32>", "tensor<2xf64>", "[1, 2]", "argument 0: a value of type 'tensor<2xf32>' is needed, not one with elements of type 'f64'"},
		{"tensor<2xf32>", "f32", "1", "argument 0: a value of type 'tensor<2xf32>' is needed"},
		{"f32", "tensor<f32>", "1", "argument 0: a value of type 'f32' is needed, not 'tensor<f32>'"},
		{"memref<2xf32>", "tensor<2xf32>", "[1, 2]", ""},
	} {
		m := load(t, "func.func @f(%a: "+tt.param+") { return }")
		fn, err := interp.Entry(m, "f")
		if err != nil {
			t.Fatal(err)
		}
		c, typ := typeOf(t, tt.typ)
		v, err := interp.Parse(c, tt.text, typ, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if _, err := interp.Run(m, fn, []interp.Value{v}, interp.Options{}); err != nil {
			got = strings.TrimPrefix(err.Error(), "test.mlir:1:1: ")
		}
		if got != tt.want {
			t.Errorf("%s for %s: %q, not %q", tt.typ, tt.param, got, tt.want)
		}
	}
}
