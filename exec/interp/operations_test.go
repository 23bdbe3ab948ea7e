package interp_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/exec"
	"freehold/exec/interp"
	"freehold/ir"
)

// TestOperations runs small programs whose results are known.
func TestOperations(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"product of complex numbers", `func.func @main() -> complex<f32> {
			%a = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
			%b = complex.constant [3.0 : f32, -4.0 : f32] : complex<f32>
			%r = complex.mul %a, %b : complex<f32>
			return %r : complex<f32> }`, "(11, 2)"},
		{"product with an infinity", `func.func @main() -> f32 {
			%a = complex.constant [0x7F800000 : f32, 0x7FC00000 : f32] : complex<f32>
			%b = complex.constant [1.0 : f32, 1.0 : f32] : complex<f32>
			%r = complex.mul %a, %b : complex<f32>
			%x = complex.re %r : complex<f32>
			return %x : f32 }`, "+Inf"},
		{"absolute value", `func.func @main() -> f64 {
			%a = complex.constant [3.0 : f64, 4.0 : f64] : complex<f64>
			%r = complex.abs %a : complex<f64>
			return %r : f64 }`, "5"},
		{"tensor of complex numbers", `func.func @main() -> tensor<2xcomplex<f32>> {
			%a = arith.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
			%r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%a : tensor<2xcomplex<f32>>) {
			^bb0(%x: complex<f32>):
				%y = complex.conj %x : complex<f32>
				linalg.yield %y : complex<f32>
			} -> tensor<2xcomplex<f32>>
			return %r : tensor<2xcomplex<f32>> }`, "[(1, -2), (3, -4)]"},
		{"bits of a complex number", `func.func @main() -> i64 {
			%a = complex.constant [1.0 : f32, -0.0 : f32] : complex<f32>
			%r = complex.bitcast %a : complex<f32> to i64
			return %r : i64 }`, "-9223372035789422592"},
		{"f128", `func.func @main() -> f64 {
			%a = arith.constant 1.0 : f128
			%b = arith.constant 3.0 : f128
			%q = arith.divf %a, %b : f128
			%p = arith.mulf %q, %b : f128
			%d = arith.subf %p, %a : f128
			%r = arith.truncf %d : f128 to f64
			return %r : f64 }`, "0"},
		{"wide sum with carry", `func.func @main() -> (i1) {
			%a = arith.constant -1 : i100
			%b = arith.constant 1 : i100
			%s, %c = arith.addui_extended %a, %b : i100, i1
			return %c : i1 }`, "true"},
		{"leading zeros of a wide number", `func.func @main() -> i100 {
			%a = arith.constant 1 : i100
			%r = math.ctlz %a : i100
			return %r : i100 }`, "99"},
		{"broadcast of shapes", `func.func @main() -> tensor<?xindex> {
			%a = shape.const_shape [4, 1, 3] : tensor<3xindex>
			%b = shape.const_shape [2, 1] : tensor<2xindex>
			%r = shape.broadcast %a, %b : tensor<3xindex>, tensor<2xindex> -> tensor<?xindex>
			return %r : tensor<?xindex> }`, "[4, 2, 3]"},
		{"what is assumed", `func.func @main() -> index {
			%a = shape.const_shape [4, 2] : !shape.shape
			%b = shape.const_shape [3] : !shape.shape
			%w = shape.cstr_broadcastable %a, %b : !shape.shape, !shape.shape
			%r = shape.assuming %w -> index {
				%n = arith.constant 1 : index
				shape.assuming_yield %n : index
			}
			return %r : index }`, "what is assumed does not hold"},
		{"reduction of a shape", `func.func @main() -> index {
			%a = shape.const_shape [4, 2, 5] : tensor<3xindex>
			%one = arith.constant 1 : index
			%r = shape.reduce(%a, %one) : tensor<3xindex> -> index {
			^bb0(%i: index, %n: index, %acc: index):
				%p = arith.muli %acc, %n : index
				shape.yield %p : index
			}
			return %r : index }`, "40"},
		{"a transfer with a stride", `func.func @main() -> memref<6xi32> {
			%c0 = arith.constant 0 : index
			%c2 = arith.constant 2 : index
			%c3 = arith.constant 3 : index
			%c4 = arith.constant 4 : index
			%zero = arith.constant 0 : i32
			%src = memref.alloca() : memref<9xi32>
			linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%src : memref<9xi32>) {
			^bb0(%o: i32):
				%i = linalg.index 0 : index
				%v = arith.index_cast %i : index to i32
				linalg.yield %v : i32
			}
			%dst = memref.alloc() : memref<6xi32>
			linalg.fill ins(%zero : i32) outs(%dst : memref<6xi32>)
			%near = memref.alloca() : memref<6xi32, 1>
			linalg.fill ins(%zero : i32) outs(%near : memref<6xi32, 1>)
			%tag = memref.alloca() : memref<1xi32>
			memref.dma_start %src[%c0], %near[%c0], %c4, %tag[%c0], %c3, %c2 : memref<9xi32>, memref<6xi32, 1>, memref<1xi32>
			memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
			memref.dma_start %near[%c0], %dst[%c2], %c4, %tag[%c0] : memref<6xi32, 1>, memref<6xi32>, memref<1xi32>
			return %dst : memref<6xi32> }`, "[0, 0, 0, 1, 3, 4]"},
		{"a layout without strides", `func.func @main() -> i32 {
			%i = arith.constant 1 : index
			%v = arith.constant 7 : i32
			%m = memref.alloca() : memref<4xi32, affine_map<(i) -> (i mod 2, i floordiv 2)>>
			memref.store %v, %m[%i] : memref<4xi32, affine_map<(i) -> (i mod 2, i floordiv 2)>>
			%r = memref.load %m[%i] : memref<4xi32, affine_map<(i) -> (i mod 2, i floordiv 2)>>
			return %r : i32 }`, "7"},
		{"a subview that leaves out one of several dimensions", `func.func @main(%m: memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>, %n: index) -> index {
			%c1 = arith.constant 1 : index
			%s = memref.subview %m[0, 0, 0] [1, %n, 1] [1, 1, 1] : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>> to memref<1x?xf32, strided<[?, ?], offset: ?>>
			%r = memref.dim %s, %c1 : memref<1x?xf32, strided<[?, ?], offset: ?>>
			return %r : index }`, "3"},
		{"a cast between forms", `func.func @main() -> index {
			%a = arith.constant dense<[3, 4]> : tensor<2xi32>
			%m = builtin.unrealized_conversion_cast %a : tensor<2xi32> to memref<2xi32>
			%c1 = arith.constant 1 : index
			%v = memref.load %m[%c1] : memref<2xi32>
			%w = builtin.unrealized_conversion_cast %v : i32 to i64
			%r = builtin.unrealized_conversion_cast %w : i64 to index
			return %r : index }`, "4"},
		{"a cast that loses bits", `func.func @main() -> i8 {
			%a = arith.constant 300 : i32
			%r = builtin.unrealized_conversion_cast %a : i32 to i8
			return %r : i8 }`, "a value does not fit the type that it is cast to"},
		{"a filter for Winograd's algorithm", `func.func @main() -> tensor<4x1x1x1xf32> {
			%f = arith.constant dense<[[[[2.0]], [[4.0]], [[6.0]]]]> : tensor<1x3x1x1xf32>
			%o = tensor.empty() : tensor<4x1x1x1xf32>
			%r = linalg.winograd_filter_transform m(2) r(3) ins(%f : tensor<1x3x1x1xf32>) outs(%o : tensor<4x1x1x1xf32>) -> tensor<4x1x1x1xf32>
			return %r : tensor<4x1x1x1xf32> }`, "[[[[-2]]],\n [[[2]]],\n [[[6]]],\n [[[6]]]]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			args := []string{}
			if strings.Contains(tt.src, "%n: index)") {
				args = []string{"zeros:2x3x2", "3"}
			}
			res := runText(t, tt.src, interp.Options{}, args...)
			got := ""
			if f := res.Stopped(); f != nil {
				got = f.Message
			} else {
				got = res.Values[0].Text()
			}
			if got != tt.want {
				t.Errorf("got %q, not %q", got, tt.want)
			}
		})
	}
}

// TestExternals checks functions that Go supplies: their arguments, results and
// what they write, and the effects that are noted.
func TestExternals(t *testing.T) {
	m := load(t, `
		func.func private @double(f32) -> f32
		func.func private @clear(memref<2xi32>)
		func.func private @other() -> memref<2xi32>
		func.func @main(%x: f32, %b: memref<2xi32>) -> (f32, i32) {
			%c0 = arith.constant 0 : index
			%y = call @double(%x) : (f32) -> f32
			call @clear(%b) : (memref<2xi32>) -> ()
			%o = call @other() : () -> memref<2xi32>
			%v = memref.load %o[%c0] : memref<2xi32>
			memref.dealloc %o : memref<2xi32>
			return %y, %v : f32, i32
		}`)
	fn, err := interp.Entry(m, "main")
	if err != nil {
		t.Fatal(err)
	}
	x := interp.Value{Type: ir.F32, Word: exec.FloatWord(ir.F32, 1.5)}
	b, err := interp.Random(exec.NewProgram(m).Function(fn).Type().Inputs[1], nil, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	o := interp.Options{Externals: map[string]interp.External{
		"double": func(c *interp.Call) ([]interp.Value, error) {
			v := exec.FloatOf(ir.F32, c.Args[0].Word)
			return []interp.Value{{Type: ir.F32, Word: exec.FloatWord(ir.F32, 2*v)}}, nil
		},
		"clear": func(c *interp.Call) ([]interp.Value, error) {
			zero, err := interp.Random(c.Args[0].Type, nil, nil)
			if err != nil {
				return nil, err
			}
			return nil, c.Write(0, zero.Tensor)
		},
	}, Otherwise: interp.Arbitrary(5)}
	res, err := interp.Run(m, fn, []interp.Value{x, b}, o)
	if err != nil || len(res.Findings) > 0 {
		t.Fatal(err, res)
	}
	if got := res.Values[0].Text(); got != "3" {
		t.Errorf("@double(1.5) is %s", got)
	}
	if got := res.Buffers[1].Text(); got != "[0, 0]" {
		t.Errorf("the buffer holds %s", got)
	}
	var names []string
	for _, e := range res.Effects {
		names = append(names, e.Name)
	}
	if got := strings.Join(names, " "); got != "double clear other" {
		t.Errorf("effects are %s", got)
	}
	again, err := interp.Run(m, fn, []interp.Value{x, b}, o)
	if err != nil || !interp.Equal(res.Values, again.Values) {
		t.Error("another execution has other results", err)
	}
	o.Otherwise = nil
	if _, err := interp.Run(m, fn, []interp.Value{x, b}, o); err == nil || !strings.Contains(err.Error(), "@other has no body") {
		t.Errorf("without a function for @other: %v", err)
	}
}

// TestGenerator checks that arguments of all types can be made up.
func TestGenerator(t *testing.T) {
	for _, text := range []string{"i1", "i7", "i100", "index", "f16", "bf16", "f8E4M3FN", "f8E5M2", "f80", "f128", "tf32", "complex<f32>", "complex<i8>",
		"tensor<2x?xf32>", "tensor<*xi8>", "memref<?xcomplex<f64>>", "memref<*xf32>", "memref<2xvector<4xf32>>", "vector<[4]xf32>",
		"memref<2x3xf32, strided<[?, ?], offset: ?>>", "none", "tuple<i8, f32>", "!shape.shape", "!shape.size"} {
		ctx, typ := typeOf(t, text)
		_ = ctx
		for seed := range uint64(6) {
			g := interp.Generator{Seed: seed, Special: int(seed % 3)}
			a, err := g.Value(typ, rand.New(rand.NewPCG(seed, 0)))
			if err != nil {
				t.Errorf("%s: %v", text, err)
				break
			}
			b, _ := g.Value(typ, rand.New(rand.NewPCG(seed, 0)))
			if d := interp.Difference(a, b, interp.Tolerance{}); d != "" {
				t.Errorf("%s: %s", text, d)
			}
		}
	}
}
