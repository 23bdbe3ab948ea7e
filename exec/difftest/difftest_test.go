package difftest_test

import (
	"fmt"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/exec/difftest"
	"freehold/ir"
	"freehold/ir/asm"
)

func load(t *testing.T, src string) *ir.Op {
	t.Helper()
	ctx := ir.NewContext(dialect.All()...)
	ctx.AllowUnregistered = true
	m, err := asm.Parse(ctx, []byte(src), "test.mlir", asm.ParseOptions{})
	if err == nil {
		err = ir.Verify(m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// summary renders what a report says about a function, the first of each.
func summary(fn difftest.Function) string {
	switch {
	case fn.Skipped != nil:
		return "skipped: " + fn.Skipped.Error()
	case len(fn.Mismatches) > 0:
		x := fn.Mismatches[0]
		p, _ := ir.SourcePos(x.Loc)
		return fmt.Sprintf("%d: %s: %s", p.Line, x.What, x.Difference)
	case len(fn.Findings) > 0:
		x := fn.Findings[0]
		return fmt.Sprintf("%s: %s", x.Kind, x.Message)
	}
	return "same"
}

// gather is only defined where all integers are positions.
const gather = `func.func @f(%a: memref<16xi8>, %i: vector<64xi32>, %pass: vector<64xi8>) -> vector<64xi8> {
  %0 = arith.constant 0 : index
  %on = arith.constant dense<true> : vector<64xi1>
  %r = vector.gather %a[%0] [%i], %on, %pass : memref<16xi8>, vector<64xi32>, vector<64xi1>, vector<64xi8> into vector<64xi8>
  return %r : vector<64xi8>
}`

func TestRun(t *testing.T) {
	tests := []struct {
		name, before, after string
		options             difftest.Options
		want                string // a part of the summary
	}{
		{name: "same", want: "same",
			before: "func.func @f(%a: i32) -> i32 { return %a : i32 }",
			after:  "func.func @f(%a: i32) -> i32 { %c = arith.constant 0 : i32\n %r = arith.addi %a, %c : i32\n return %r : i32 }"},
		{name: "another result", want: "1: result 1: ",
			before: "func.func @f(%a: i32) -> (i32, i32) { return %a, %a : i32, i32 }",
			after:  "func.func @f(%a: i32) -> (i32, i32) { %c = arith.constant 1 : i32\n %r = arith.addi %a, %c : i32\n return %a, %r : i32, i32 }"},
		{name: "an address that is used again", want: "result 0: ", options: difftest.Options{Inputs: 2},
			before: "func.func @f() -> i1 { %c = arith.constant true\n return %c : i1 }",
			after: `func.func @f() -> i1 {
  %a = memref.alloc() : memref<4xi32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xi32> -> index
  memref.dealloc %a : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %q = memref.extract_aligned_pointer_as_index %b : memref<4xi32> -> index
  memref.dealloc %b : memref<4xi32>
  %r = arith.cmpi ne, %p, %q : index
  return %r : i1
}`},
		{name: "the sign of zero", want: "result 0: ",
			before: "func.func @f(%a: f32) -> f32 { %c = arith.constant 0.0 : f32\n %r = arith.mulf %a, %c : f32\n return %r : f32 }",
			after:  "func.func @f(%a: f32) -> f32 { %c = arith.constant 0.0 : f32\n return %c : f32 }"},
		{name: "all NaNs are the same", want: "same",
			before: "func.func @f() -> f32 { %c = arith.constant 0x7fc00000 : f32\n return %c : f32 }",
			after:  "func.func @f() -> f32 { %c = arith.constant 0xffc00001 : f32\n return %c : f32 }"},
		{name: "a tensor and a buffer", want: "same",
			before: "func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> { return %a : tensor<?xf32> }",
			after:  "func.func @f(%a: memref<?xf32>) -> memref<?xf32> { return %a : memref<?xf32> }"},
		{name: "a vector between results that callers pass buffers for", want: "same",
			before: `func.func @f(%a: tensor<4x4xi32>, %v: vector<2x2xi32>) -> (tensor<4x4xi32>, vector<2x2xi32>, tensor<3xi32>) {
  %t = tensor.extract_slice %a[0, 0] [1, 3] [1, 1] : tensor<4x4xi32> to tensor<3xi32>
  return %a, %v, %t : tensor<4x4xi32>, vector<2x2xi32>, tensor<3xi32> }`,
			after: `func.func @f(%a: memref<4x4xi32>, %v: vector<2x2xi32>, %x: memref<4x4xi32>, %y: memref<3xi32>) -> vector<2x2xi32> {
  %t = memref.subview %a[0, 0] [1, 3] [1, 1] : memref<4x4xi32> to memref<3xi32, strided<[1]>>
  memref.copy %a, %x : memref<4x4xi32> to memref<4x4xi32>
  memref.copy %t, %y : memref<3xi32, strided<[1]>> to memref<3xi32>
  return %v : vector<2x2xi32> }`},
		{name: "another element", want: "result 0: element [1, 0], ",
			before: "func.func @f(%a: tensor<2x2xi8>) -> tensor<2x2xi8> { return %a : tensor<2x2xi8> }",
			after: `func.func @f(%a: tensor<2x2xi8>) -> tensor<2x2xi8> { %0 = arith.constant 0 : index
			  %1 = arith.constant 1 : index
			  %v = tensor.extract %a[%1, %0] : tensor<2x2xi8>
			  %w = arith.addi %v, %v : i8
			  %x = arith.constant 1 : i8
			  %y = arith.addi %w, %x : i8
			  %r = tensor.insert %y into %a[%1, %0] : tensor<2x2xi8>
			  return %r : tensor<2x2xi8> }`},
		{name: "positions among the elements", want: "same",
			before: gather, after: gather},
		{name: "buffers that a private function owns", want: "same", options: difftest.Options{Leaks: true},
			before: `func.func private @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> { return %b : tensor<4xf32> }
func.func @g(%a: tensor<4xf32>) -> tensor<4xf32> { %r = func.call @f(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32> }`,
			after: `func.func private @f(%a: memref<4xf32>, %b: memref<4xf32>) -> memref<4xf32> {
  memref.dealloc %a : memref<4xf32>
  return %b : memref<4xf32>
}
func.func @g(%a: memref<4xf32>) -> memref<4xf32> {
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>
  memref.copy %a, %y : memref<4xf32> to memref<4xf32>
  %r = func.call @f(%x, %y) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  return %r : memref<4xf32>
}`},
		{name: "a buffer that a public function doesn't own", want: "invalid free: ",
			before: "func.func @f(%a: tensor<4xf32>) { return }",
			after:  "func.func @f(%a: memref<4xf32>) { memref.dealloc %a : memref<4xf32>\n return }"},
		{name: "the least of infinity and NaN", want: "result 0: +Inf is NaN",
			before: "func.func @f(%a: f32) -> f32 { %c = arith.constant 0x7F800000 : f32\n %r = arith.minnumf %c, %a : f32\n return %r : f32 }",
			after:  "func.func @f(%a: f32) -> f32 { return %a : f32 }"},
		{name: "an index that doesn't fit 16 bits", want: "result 0: ",
			before: "func.func @f(%a: index) -> index { %0 = arith.index_cast %a : index to i16\n %1 = arith.index_cast %0 : i16 to index\n return %1 : index }",
			after:  "func.func @f(%a: index) -> index { return %a : index }"},
		{name: "one number of 8 bits", want: "result 0: ", options: difftest.Options{Inputs: 20},
			before: "func.func @f(%a: tensor<64xf8E5M2>) -> tensor<64xf8E5M2> { return %a : tensor<64xf8E5M2> }",
			after: `func.func @f(%a: tensor<64xf8E5M2>) -> tensor<64xf8E5M2> {
  %e = tensor.empty() : tensor<64xf8E5M2>
  %r = linalg.map ins(%a : tensor<64xf8E5M2>) outs(%e : tensor<64xf8E5M2>) (%x: f8E5M2) {
    %b = arith.bitcast %x : f8E5M2 to i8
    %n = arith.constant 91 : i8
    %c = arith.cmpi eq, %b, %n : i8
    %o = arith.constant 1.0 : f8E5M2
    %s = arith.select %c, %o, %x : f8E5M2
    linalg.yield %s : f8E5M2
  }
  return %r : tensor<64xf8E5M2>
}`},
		{name: "strides that the type leaves open", want: "result 0: ",
			before: `func.func @f(%a: memref<3x4xf32, strided<[?, ?], offset: ?>>) -> (index, f32) {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %a : memref<3x4xf32, strided<[?, ?], offset: ?>> -> memref<f32>, index, index, index, index, index
  %c = arith.constant 1 : index
  %x = memref.load %a[%c, %c] : memref<3x4xf32, strided<[?, ?], offset: ?>>
  return %t#0, %x : index, f32
}`,
			after: `func.func @f(%a: memref<3x4xf32, strided<[?, ?], offset: ?>>) -> (index, f32) {
  %c = arith.constant 1 : index
  %n = arith.constant 4 : index
  %x = memref.load %a[%c, %c] : memref<3x4xf32, strided<[?, ?], offset: ?>>
  return %n, %x : index, f32
}`},
		{name: "buffers that overlap in part", want: "result 0: ", options: difftest.Options{Inputs: 20},
			before: `func.func @f(%a: memref<2xi32>, %b: memref<3xi32>) -> i32 { %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %c = arith.constant 77 : i32
  %x = memref.load %a[%1] : memref<2xi32>
  memref.store %c, %b[%0] : memref<3xi32>
  return %x : i32 }`,
			after: `func.func @f(%a: memref<2xi32>, %b: memref<3xi32>) -> i32 { %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %c = arith.constant 77 : i32
  memref.store %c, %b[%0] : memref<3xi32>
  %x = memref.load %a[%1] : memref<2xi32>
  return %x : i32 }`},
		{name: "a dimension without elements", want: "result 0: ", options: difftest.Options{Inputs: 12},
			before: "func.func @f(%a: tensor<?xf32>) -> index { %0 = arith.constant 0 : index\n %n = tensor.dim %a, %0 : tensor<?xf32>\n return %n : index }",
			after:  "func.func @f(%a: tensor<?xf32>) -> index { %0 = arith.constant 0 : index\n %n = tensor.dim %a, %0 : tensor<?xf32>\n %1 = arith.constant 1 : index\n %m = arith.maxsi %n, %1 : index\n return %m : index }"},
		{name: "the contents of an argument", want: "1: the buffer of argument 0: ",
			before: "func.func @f(%a: memref<2xf32>) { return }",
			after: `func.func @f(%a: memref<2xf32>) { %i = arith.constant 1 : index
			  %c = arith.constant 99.0 : f32
			  memref.store %c, %a[%i] : memref<2xf32>
			  return }`},
		{name: "arguments that are the same buffer", want: "result 0: ",
			before: `func.func @f(%a: memref<f32>, %b: memref<f32>) -> f32 {
			  %c = arith.constant 99.0 : f32
			  memref.store %c, %a[] : memref<f32>
			  %r = memref.load %b[] : memref<f32>
			  return %r : f32 }`,
			after: `func.func @f(%a: memref<f32>, %b: memref<f32>) -> f32 {
			  %c = arith.constant 99.0 : f32
			  %r = memref.load %b[] : memref<f32>
			  memref.store %c, %a[] : memref<f32>
			  return %r : f32 }`},
		{name: "the order of effects", want: "4: the effects: effect 0, the call of a, is the call of b",
			before: "func.func private @a()\nfunc.func private @b()\nfunc.func @f() { call @a() : () -> ()\n call @b() : () -> ()\n return }",
			after:  "func.func private @a()\nfunc.func private @b()\nfunc.func @f() {\n call @b() : () -> ()\n call @a() : () -> ()\n return }"},
		{name: "the arguments of effects", want: "the effects: effect 0, the call of a: of argument 0, ",
			before: "func.func private @a(i32)\nfunc.func @f(%x: i32) { call @a(%x) : (i32) -> ()\n return }",
			after:  "func.func private @a(i32)\nfunc.func @f(%x: i32) { %c = arith.constant 77 : i32\n call @a(%c) : (i32) -> ()\n return }"},
		{name: "what is printed", want: `the effects: effect 0, the output "( 1, 2 )\n", is the output "2\n"`,
			before: "func.func @f() { %c = arith.constant dense<[1, 2]> : vector<2xi32>\n vector.print %c : vector<2xi32>\n return }",
			after:  "func.func @f() { %c = arith.constant 2 : i32\n vector.print %c : i32\n return }"},
		{name: "unknown operations", want: "same",
			before: `func.func @f() -> f32 { %r = "x.y"() : () -> f32` + "\n return %r : f32 }",
			after:  `func.func @f() -> f32 { %c = arith.constant 1 : i32` + "\n" + `%r = "x.y"() : () -> f32` + "\n return %r : f32 }"},
		{name: "a double free", want: "double free: ",
			before: "func.func @f() { return }",
			after:  "func.func @f() { %m = memref.alloc() : memref<f32>\n memref.dealloc %m : memref<f32>\n memref.dealloc %m : memref<f32>\n return }"},
		{name: "a leak that doesn't count", want: "same",
			before: "func.func @f() { return }",
			after:  "func.func @f() { %m = memref.alloc() : memref<f32>\n return }"},
		{name: "a leak", want: "leak: ", options: difftest.Options{Leaks: true},
			before: "func.func @f() { return }",
			after:  "func.func @f() { %m = memref.alloc() : memref<f32>\n return }"},
		{name: "an endless loop", want: "step limit: ", options: difftest.Options{MaxSteps: 1000},
			before: "func.func @f() { return }",
			after:  "func.func @f() { cf.br ^a\n^a:\n cf.br ^a }"},
		{name: "more is defined", want: "same",
			before: "func.func @f() -> tensor<2xf32> { %r = tensor.empty() : tensor<2xf32>\n return %r : tensor<2xf32> }",
			after:  "func.func @f() -> tensor<2xf32> { %r = arith.constant dense<1.0> : tensor<2xf32>\n return %r : tensor<2xf32> }"},
		{name: "less is defined", want: "result 0: element [0], 1, is ?",
			before: "func.func @f() -> tensor<2xf32> { %r = arith.constant dense<1.0> : tensor<2xf32>\n return %r : tensor<2xf32> }",
			after:  "func.func @f() -> tensor<2xf32> { %r = tensor.empty() : tensor<2xf32>\n return %r : tensor<2xf32> }"},
		{name: "never defined", want: "skipped: it is undefined for all inputs that were tried: test.mlir:2:7: division by zero",
			before: "func.func @f(%a: i32) -> i32 { %c = arith.constant 0 : i32\n %r = arith.divsi %a, %c : i32\n return %r : i32 }",
			after:  "func.func @f(%a: i32) -> i32 { return %a : i32 }"},
		{name: "a result that became an argument", want: "same",
			before: "func.func @f() -> memref<2xi32> { %g = memref.alloc() : memref<2xi32>\n %c = arith.constant 3 : i32\n linalg.fill ins(%c : i32) outs(%g : memref<2xi32>)\n return %g : memref<2xi32> }",
			after:  "func.func @f(%g: memref<2xi32>) { %c = arith.constant 3 : i32\n linalg.fill ins(%c : i32) outs(%g : memref<2xi32>)\n return }"},
		{name: "a wrong result that became an argument", want: "result 0: element [0], 3, is 4",
			before: "func.func @f() -> memref<2xi32> { %g = memref.alloc() : memref<2xi32>\n %c = arith.constant 3 : i32\n linalg.fill ins(%c : i32) outs(%g : memref<2xi32>)\n return %g : memref<2xi32> }",
			after:  "func.func @f(%g: memref<2xi32>) { %c = arith.constant 4 : i32\n linalg.fill ins(%c : i32) outs(%g : memref<2xi32>)\n return }"},
		{name: "a result of an external function that became an argument", want: "same",
			before: "func.func private @g(i32) -> (tensor<2xi32>, i32)\nfunc.func @f(%a: i32) -> (tensor<2xi32>, i32) { %r:2 = call @g(%a) : (i32) -> (tensor<2xi32>, i32)\n return %r#0, %r#1 : tensor<2xi32>, i32 }",
			after:  "func.func private @g(i32, memref<2xi32>) -> i32\nfunc.func @f(%a: i32, %t: memref<2xi32>) -> i32 { %r = call @g(%a, %t) : (i32, memref<2xi32>) -> i32\n return %r : i32 }"},
		{name: "an external function that writes elsewhere", want: "result 0: ",
			before: "func.func private @g(i32) -> tensor<2xi32>\nfunc.func @f(%a: i32) -> tensor<2xi32> { %r = call @g(%a) : (i32) -> tensor<2xi32>\n return %r : tensor<2xi32> }",
			after:  "func.func private @g(i32, memref<2xi32>)\nfunc.func @f(%a: i32, %t: memref<2xi32>) { %r = memref.alloca() : memref<2xi32>\n call @g(%a, %r) : (i32, memref<2xi32>) -> ()\n return }"},
		{name: "an external function with an out parameter that is given something else", want: "the effects: ",
			before: "func.func private @g(i32) -> tensor<2xi32>\nfunc.func @f(%a: i32) -> tensor<2xi32> { %r = call @g(%a) : (i32) -> tensor<2xi32>\n return %r : tensor<2xi32> }",
			after:  "func.func private @g(i32, memref<2xi32>)\nfunc.func @f(%a: i32, %t: memref<2xi32>) { %c = arith.constant 99 : i32\n call @g(%c, %t) : (i32, memref<2xi32>) -> ()\n return }"},
		{name: "a result that became an argument which callers hand over", want: "same",
			before: "func.func private @f(%a: i32) -> tensor<1xi32> { %r = tensor.from_elements %a : tensor<1xi32>\n return %r : tensor<1xi32> }\nfunc.func @main(%a: i32) { %r = call @f(%a) : (i32) -> tensor<1xi32>\n return }",
			after:  "func.func private @f(%a: i32, %t: memref<1xi32>) { memref.dealloc %t : memref<1xi32>\n return }\nfunc.func @main(%a: i32) { %t = memref.alloc() : memref<1xi32>\n call @f(%a, %t) : (i32, memref<1xi32>) -> ()\n return }"},
		{name: "a function that is gone", want: "skipped: it does not exist afterwards",
			before: "func.func @f() { return }", after: "func.func @g() { return }"},
		{name: "another type", want: "skipped: argument 0 has type 'i32', and 'i64' afterwards",
			before: "func.func @f(%a: i32) { return }", after: "func.func @f(%a: i64) { return }"},
		{name: "tolerance", want: "same", options: difftest.Options{},
			before: "func.func @f() -> f32 { %c = arith.constant 1.0 : f32\n return %c : f32 }",
			after:  "func.func @f() -> f32 { %c = arith.constant 1.0001 : f32\n return %c : f32 }"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "tolerance" {
				tt.options.Tolerance.Relative = 0.001
			}
			tt.options.Only = []string{"f"}
			report := difftest.Run(load(t, tt.before), load(t, tt.after), tt.options)
			if len(report.Functions) != 1 {
				t.Fatalf("%d functions", len(report.Functions))
			}
			if got := summary(report.Functions[0]); !strings.Contains(got, tt.want) || tt.want == "same" && got != "same" {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestRepeatable checks that inputs depend only on the seed.
func TestRepeatable(t *testing.T) {
	src := "func.func @f(%a: tensor<?xf32>, %n: index, %u: tensor<*xi8>, %c: complex<f16>, %w: i100) -> i32 { %c0 = arith.constant 0 : i32\n return %c0 : i32 }"
	other := strings.Replace(src, "arith.constant 0", "arith.constant 1", 1)
	run := func(seed uint64) string {
		r := difftest.Run(load(t, src), load(t, other), difftest.Options{Seed: seed})
		return fmt.Sprint(r.Mismatches, " ", r.Functions[0].Inputs, " ", summary(r.Functions[0]))
	}
	if a, b := run(7), run(7); a != b || a != "8 8 1: result 0: 0 is 1" {
		t.Errorf("%s, then %s", a, b)
	}
}
