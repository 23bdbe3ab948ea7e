package native_test

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"freehold/driver"
	"freehold/exec/interp"
	"freehold/exec/native"
)

// compiler skips a test where there is no C compiler.
func compiler(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("there is no C compiler")
	}
	return "cc -O1 -Wall -Wextra -Werror"
}

// same executes the function @main of a program both ways and compares everything.
func same(t *testing.T, text string, o native.Options, args ...string) {
	t.Helper()
	sameBy(t, compiler(t), text, o, args...)
}

// sameBy is same with a compiler.
func sameBy(t *testing.T, cc, text string, o native.Options, args ...string) {
	t.Helper()
	o.Compiler = cc
	p, err := driver.Freehold().NewSession().Parse([]byte(text), "test.mlir")
	if err != nil {
		t.Fatal(err)
	}
	fn, err := interp.Entry(p.Module, "main")
	if err != nil {
		t.Fatal(err)
	}
	values := func() []interp.Value {
		v, err := interp.Texts{Values: args, Random: true, Seed: 1, Limit: 1 << 30}.Arguments(fn)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	want, err := interp.Run(p.Module, fn, values(), interp.Options{MaxSteps: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	if f := want.Stopped(); f != nil {
		t.Fatal(f)
	}
	got, err := native.Run(context.Background(), p.Module, fn, values(), o)
	if err != nil {
		t.Fatal(err)
	}
	compare := func(what string, want, got []interp.Value) {
		for i, w := range want {
			if w.Type == nil {
				continue
			}
			if d := interp.Difference(w, got[i], interp.Tolerance{}); d != "" {
				t.Errorf("%s %d: %s", what, i, d)
			}
		}
	}
	compare("result", want.Values, got.Values)
	compare("argument", want.Buffers, got.Buffers)
	if want.Output() != got.Output {
		t.Errorf("%q is printed, not %q", got.Output, want.Output())
	}
}

// Each operation on two integers gives what it gives in checked memory, for all numbers of some widths.
func TestIntegers(t *testing.T) {
	total := []string{"addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "maxui", "minsi", "minui", "cmpi eq,", "cmpi ne,", "cmpi slt,", "cmpi sle,", "cmpi sgt,",
		"cmpi sge,", "cmpi ult,", "cmpi ule,", "cmpi ugt,", "cmpi uge,"}
	divisions := []string{"divsi", "divui", "remsi", "remui", "ceildivsi", "ceildivui", "floordivsi"}
	shifts := []string{"shli", "shrui", "shrsi"}
	for _, width := range []int{1, 3, 7, 8} {
		n := 1 << width
		count := len(total) + len(divisions) + len(shifts)
		typ := fmt.Sprintf("i%d", width)
		var b strings.Builder
		fmt.Fprintf(&b, "func.func @main(%%out: memref<%dx%dx%dx%s>) {\n", count, n, n, typ)
		fmt.Fprintf(&b, "  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index\n  %%n = arith.constant %d : index\n", n)
		fmt.Fprintf(&b, "  %%zero = arith.constant 0 : %s\n  %%minus = arith.constant -1 : %s\n  %%least = arith.constant %d : %s\n", typ, typ, -(1 << (width - 1)), typ)
		fmt.Fprintf(&b, "  %%width = arith.constant %d : index\n", width)
		b.WriteString("  scf.for %i = %c0 to %n step %c1 {\n  scf.for %j = %c0 to %n step %c1 {\n")
		fmt.Fprintf(&b, "  %%x = arith.index_cast %%i : index to %s\n  %%y = arith.index_cast %%j : index to %s\n", typ, typ)
		k := 0
		store := func(v, t string) {
			if strings.HasPrefix(t, "cmpi") && width > 1 {
				fmt.Fprintf(&b, "  %%e%d = arith.extui %s : i1 to %s\n", k, v, typ)
				v = fmt.Sprintf("%%e%d", k)
			}
			fmt.Fprintf(&b, "  %%k%d = arith.constant %d : index\n  memref.store %s, %%out[%%k%d, %%i, %%j] : memref<%dx%dx%dx%s>\n", k, k, v, k, count, n, n, typ)
			k++
		}
		for _, op := range total {
			fmt.Fprintf(&b, "  %%v%d = arith.%s %%x, %%y : %s\n", k, op, typ)
			store(fmt.Sprintf("%%v%d", k), op)
		}
		guarded := func(op, cond string) {
			fmt.Fprintf(&b, "  %%v%d = scf.if %s -> %s {\n    %%r = arith.%s %%x, %%y : %s\n    scf.yield %%r : %s\n  } else {\n    scf.yield %%zero : %s\n  }\n", k, cond, typ, op, typ, typ, typ)
			store(fmt.Sprintf("%%v%d", k), op)
		}
		fmt.Fprintf(&b, "  %%some = arith.cmpi ne, %%y, %%zero : %[1]s\n  %%a = arith.cmpi ne, %%y, %%minus : %[1]s\n  %%b = arith.cmpi ne, %%x, %%least : %[1]s\n", typ)
		b.WriteString("  %c = arith.ori %a, %b : i1\n  %fits = arith.andi %some, %c : i1\n  %small = arith.cmpi ult, %j, %width : index\n")
		for _, op := range divisions {
			guarded(op, "%fits")
		}
		for _, op := range shifts {
			guarded(op, "%small")
		}
		b.WriteString("  }\n  }\n  return\n}\n")
		t.Run(typ, func(t *testing.T) { same(t, b.String(), native.Options{}) })
	}
}

// The remainder of the least number by -1 is 0.
func TestRemainderOfLeast(t *testing.T) {
	same(t, `func.func @main(%x: i32, %y: i32, %a: i64, %b: i64) -> (i32, i64) {
  %r = arith.remsi %x, %y : i32
  %s = arith.remsi %a, %b : i64
  return %r, %s : i32, i64
}`, native.Options{}, "-2147483648", "-1", "-9223372036854775808", "-1")
}

// Numbers of few bits become doubles and back, all of them.
func TestSmallFloats(t *testing.T) {
	for _, typ := range []string{"f16", "bf16", "f8E5M2", "f8E4M3", "f8E4M3FN", "f8E5M2FNUZ", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E3M4"} {
		width := 8
		if strings.HasSuffix(typ, "f16") {
			width = 16
		}
		text := fmt.Sprintf(`func.func @main(%%wide: memref<%[3]dxf64>, %%back: memref<%[3]dx%[1]s>, %%sums: memref<%[3]dx%[1]s>, %%ints: memref<%[3]dxi32>) {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%n = arith.constant %[3]d : index
  %%third = arith.constant 0.3333 : %[1]s
  %%scale = arith.constant 1.37 : f64
  scf.for %%i = %%c0 to %%n step %%c1 {
    %%bits = arith.index_cast %%i : index to i%[2]d
    %%x = arith.bitcast %%bits : i%[2]d to %[1]s
    %%d = arith.extf %%x : %[1]s to f64
    memref.store %%d, %%wide[%%i] : memref<%[3]dxf64>
    %%s = arith.mulf %%d, %%scale : f64
    %%r = arith.truncf %%s : f64 to %[1]s
    memref.store %%r, %%back[%%i] : memref<%[3]dx%[1]s>
    %%p = arith.mulf %%x, %%third : %[1]s
    %%q = arith.subf %%p, %%r : %[1]s
    %%m = arith.maximumf %%q, %%x : %[1]s
    %%g = arith.negf %%m : %[1]s
    memref.store %%g, %%sums[%%i] : memref<%[3]dx%[1]s>
    %%c = arith.cmpf ole, %%q, %%x : %[1]s
    %%w = arith.extui %%c : i1 to i32
    memref.store %%w, %%ints[%%i] : memref<%[3]dxi32>
  }
  return
}`, typ, width, 1<<width)
		t.Run(typ, func(t *testing.T) { same(t, text, native.Options{}) })
	}
}

// Sums, products and quotients of numbers of few bits are computed as floats and rounded twice, which changes nothing: all pairs of 8 bits, and
// pairs of a 256th of the numbers of 16.
func TestSmallArithmetic(t *testing.T) {
	for typ, step := range map[string]int{"f8E5M2": 1, "f8E4M3": 1, "f8E3M4": 1, "f16": 257, "bf16": 257} {
		width := 8
		if step > 1 {
			width = 16
		}
		text := fmt.Sprintf(`func.func @main(%%out: memref<5x256x256x%[1]s>) {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%n = arith.constant 256 : index
  %%step = arith.constant %[3]d : index
  scf.for %%i = %%c0 to %%n step %%c1 {
    scf.for %%j = %%c0 to %%n step %%c1 {
      %%ii = arith.muli %%i, %%step : index
      %%jj = arith.muli %%j, %%step : index
      %%a = arith.index_cast %%ii : index to i%[2]d
      %%b = arith.index_cast %%jj : index to i%[2]d
      %%x = arith.bitcast %%a : i%[2]d to %[1]s
      %%y = arith.bitcast %%b : i%[2]d to %[1]s
`, typ, width, step)
		for k, op := range []string{"addf", "subf", "mulf", "divf", "remf"} {
			text += fmt.Sprintf("      %%k%[1]d = arith.constant %[1]d : index\n      %%v%[1]d = arith.%[2]s %%x, %%y : %[3]s\n      memref.store %%v%[1]d, %%out[%%k%[1]d, %%i, %%j] : memref<5x256x256x%[3]s>\n", k, op, typ)
		}
		t.Run(typ, func(t *testing.T) { same(t, text+"    }\n  }\n  return\n}\n", native.Options{}) })
	}
}

// Comparisons, the greatest and the least number, on all pairs of special numbers.
func TestFloatSpecials(t *testing.T) {
	var b strings.Builder
	ops := []string{"maximumf", "minimumf", "maxnumf", "minnumf", "addf", "subf", "mulf", "divf", "remf"}
	for _, typ := range []string{"f32", "f64", "f16"} {
		b.Reset()
		fmt.Fprintf(&b, "func.func @main(%%in: memref<9x%s>, %%out: memref<%dx9x9x%s>, %%is: memref<16x9x9xi1>) {\n", typ, len(ops), typ)
		b.WriteString("  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %n = arith.constant 9 : index\n")
		b.WriteString("  scf.for %i = %c0 to %n step %c1 {\n  scf.for %j = %c0 to %n step %c1 {\n")
		fmt.Fprintf(&b, "  %%x = memref.load %%in[%%i] : memref<9x%[1]s>\n  %%y = memref.load %%in[%%j] : memref<9x%[1]s>\n", typ)
		for k, op := range ops {
			fmt.Fprintf(&b, "  %%v%[1]d = arith.%[2]s %%x, %%y : %[3]s\n  %%k%[1]d = arith.constant %[1]d : index\n  memref.store %%v%[1]d, %%out[%%k%[1]d, %%i, %%j] : memref<%[4]dx9x9x%[3]s>\n", k, op, typ, len(ops))
		}
		for k, p := range strings.Fields("false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true") {
			fmt.Fprintf(&b, "  %%c_%[2]s = arith.cmpf %[2]s, %%x, %%y : %[3]s\n  %%p%[1]d = arith.constant %[1]d : index\n  memref.store %%c_%[2]s, %%is[%%p%[1]d, %%i, %%j] : memref<16x9x9xi1>\n", k, p, typ)
		}
		b.WriteString("  }\n  }\n  return\n}\n")
		t.Run(typ, func(t *testing.T) {
			same(t, b.String(), native.Options{}, "[nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.1, 2.5]")
		})
	}
}

// What isn't a number that fits becomes 0; what fits is rounded towards zero.
func TestFloatToInt(t *testing.T) {
	var b strings.Builder
	b.WriteString("func.func @main(%in: memref<14xf64>, %a: memref<14xi8>, %b: memref<14xi32>, %c: memref<14xi64>, %d: memref<14xi64>, %e: memref<14xf32>) {\n" +
		"  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %n = arith.constant 14 : index\n  scf.for %i = %c0 to %n step %c1 {\n" +
		"  %x = memref.load %in[%i] : memref<14xf64>\n")
	for _, k := range []struct{ name, op, typ string }{{"a", "fptosi", "i8"}, {"b", "fptosi", "i32"}, {"c", "fptosi", "i64"}, {"d", "fptoui", "i64"}} {
		fmt.Fprintf(&b, "  %%v%[1]s = arith.%[2]s %%x : f64 to %[3]s\n  memref.store %%v%[1]s, %%%[1]s[%%i] : memref<14x%[3]s>\n", k.name, k.op, k.typ)
	}
	b.WriteString("  %f = arith.uitofp %vd : i64 to f32\n  memref.store %f, %e[%i] : memref<14xf32>\n  }\n  return\n}\n")
	same(t, b.String(), native.Options{}, "[0.0, -0.9, 127.9, -128.9, 2147483647.5, -2147483648.5, 1.5, -1.5, 3.0, 126.0, 77.7, -100.0, 1e-300, 100.5]")
}

// Buffers that share memory are refused; how their elements lie is not.
func TestPlaces(t *testing.T) {
	command := compiler(t)
	p, err := driver.Freehold().NewSession().Parse([]byte(`func.func @main(%a: memref<3xi32, strided<[?], offset: ?>>, %b: memref<3xi32, strided<[?], offset: ?>>) {
  linalg.add ins(%a, %b : memref<3xi32, strided<[?], offset: ?>>, memref<3xi32, strided<[?], offset: ?>>) outs(%b : memref<3xi32, strided<[?], offset: ?>>)
  return
}`), "test.mlir")
	if err != nil {
		t.Fatal(err)
	}
	fn, _ := interp.Entry(p.Module, "")
	args, err := interp.Texts{Values: []string{"[1, 2, 3]", "[10, 20, 30]"}, Limit: 1 << 20}.Arguments(fn)
	if err != nil {
		t.Fatal(err)
	}
	o := native.Options{Compiler: command, Places: []interp.Place{{In: 0, Offset: 2, Strides: []int64{-1}}, {In: 1, Offset: 5, Strides: []int64{7}}}}
	res, err := native.Run(context.Background(), p.Module, fn, args, o)
	if err != nil {
		t.Fatal(err)
	}
	if got := res.Buffers[1].Text(); got != "[11, 22, 33]" {
		t.Errorf("the second buffer is %s", got)
	}
	o.Places[1].In = 0
	if _, err = native.Run(context.Background(), p.Module, fn, args, o); err == nil || !strings.Contains(err.Error(), "argument 1 shares memory with another one") {
		t.Errorf("the error is %v", err)
	}
}
