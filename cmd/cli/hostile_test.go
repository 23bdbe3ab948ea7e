package cli

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"freehold/driver"
)

const hostileSeed = `#map = affine_map<(d0)[s0] -> (d0 * 4 + s0 mod 3)>
#loc = loc("a.py":1:2)
!vec = vector<4xf32>
module attributes {test.list = [1, "two", @three::@four, 4.5e+00, unit]} {
  memref.global "private" constant @g : memref<2xi8> = dense<[1, -1]> {alignment = 64 : i64}
  func.func @f(%a: tensor<?x4xf32> {bufferization.writable = true}, %i: index) -> (tensor<?x4xf32>, f32) {
    %c0 = arith.constant 0 : index
    %r:2 = scf.for %k = %c0 to %i step %i iter_args(%t = %a, %n = %c0) -> (tensor<?x4xf32>, index) {
      %p = affine.apply #map(%k)[%i]
      %s = tensor.extract_slice %t[%p, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<1x4xf32>
      %u = tensor.insert_slice %s into %t[0, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<?x4xf32>
      scf.yield %u, %p : tensor<?x4xf32>, index
    } loc(#loc)
    %x = tensor.extract %r#0[%c0, %c0] : tensor<?x4xf32>
    "test.op"(%x) ({ ^bb0(%y: !vec): "test.end"() : () -> () }) {d = dense<0x7F800000> : !vec} : (f32) -> ()
    cf.br ^end(%x : f32)
  ^end(%z: f32):
    return %r#0, %z : tensor<?x4xf32>, f32
  }
}
`

// hostileInputs returns inputs that were made to do harm, by their names.
func hostileInputs() map[string]string {
	in := map[string]string{}
	add := func(class, text string) { in[fmt.Sprintf("%s %d", class, len(in))] = text }
	for i := range 70 {
		add("truncated", hostileSeed[:len(hostileSeed)*i/70])
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		text := []byte(hostileSeed)
		for range 1 + rnd.IntN(4) {
			text[rnd.IntN(len(text))] = byte(rnd.IntN(256))
		}
		add("changed", string(text))
	}
	for i := range 16 {
		data := make([]byte, 1<<i)
		for k := range data {
			data[k] = byte(rnd.Uint32())
		}
		add("binary", string(data))
	}
	add("binary", strings.Repeat("\x00", 1<<16))
	add("binary", "\x7fELF\x02\x01\x01"+hostileSeed)
	add("binary", "ML\xefR\x06MLIR19.1.7\x00")
	add("binary", "\ufeff"+hostileSeed)
	for _, text := range []string{"\xff", "// \xff\xfe\n", `"a.b"() {x = "` + "\xc3\x28" + `"} : () -> ()`, "func.func @\xf0\x28() { return }",
		`func.func @"` + "\xe2\x82" + `"() { return }`, "module attributes {a.\xff = 1} {}", `module attributes {a.b = "\FF\FE"} {}`, `module {} loc("` + "\xff" + `")`,
		"%\xff = arith.constant 1 : i1", "#\xff = 1", "!\xff = i1", "^\xff:"} {
		add("not UTF-8", text)
	}
	// Closed, so that what is deep is not refused for being cut off. (Package asm tests
	// what is not closed.)
	const deep = 200_000
	nest := func(head, open, inner, closed, tail string) {
		for _, n := range []int{500, deep} {
			add("nested", head+strings.Repeat(open, n)+inner+strings.Repeat(closed, n)+tail)
		}
	}
	nest("", "module {", "", "}", "")
	nest("func.func @f(%c: i1) {", "scf.if %c {", "", "}", "return }")
	nest("", `"a.b"() ({`, "", "}) : () -> ()", "")
	nest("func.func private @f(!llvm.struct<(", "struct<(", "i1", ")>", ")>)")
	nest("module attributes {a.b = affine_map<(d0) -> (d0", " mod 3 * 5", "", "", ")>} {}")
	nest("module attributes {a.b = ", "[", "", "]", "} {}")
	nest("module attributes {a.b = ", "{x = ", "1", "}", "} {}")
	nest("module attributes {a.b = ", "tuple<", "i1", ">", "} {}")
	nest("module attributes {a.b = ", "() -> (", "i1", ")", "} {}")
	nest("module attributes {a.b = affine_map<(d0) -> (", "(", "d0", ")", ")>} {}")
	nest("module attributes {a.b = affine_map<(d0) -> (", "d0 + ", "d0", "", ")>} {}")
	nest("module attributes {a.b = affine_map<(d0) -> (", "d0 mod 3 + (", "d0", ") floordiv 2", ")>} {}")
	nest("module {} loc(", "fused[", `"x"`, "]", ")")
	nest("module {} loc(", "callsite(", `"x"`, ` at "y")`, ")")
	nest("module {} loc(", `"n"(`, `"x"`, ")", ")")
	nest("module attributes {a.b = @x", "::@x", "", "", "} {}")
	nest("func.func @f(%a: i32) -> i32 {", "%r = scf.execute_region -> i32 {", "scf.yield %a : i32", "} scf.yield %r : i32", "return %r : i32 }")
	// Each name stands for two of the one before.
	for _, alias := range []struct{ first, each, use string }{
		{"#a0 = [1]\n", "#a%d = [#a%d, #a%[2]d]\n", "module attributes {a.b = #a%d} {}"},
		{"!a0 = i1\n", "!a%d = tuple<!a%d, !a%[2]d>\n", "module attributes {a.b = !a%d} {}"},
		{"#a0 = loc(\"x\")\n", "#a%d = loc(fused[#a%d, #a%[2]d])\n", "module {} loc(#a%d)"},
		{"#a0 = {x = 1}\n", "#a%d = {x = #a%d, y = #a%[2]d}\n", "module attributes {a.b = #a%d} {}"},
	} {
		for _, n := range []int{12, 40} {
			text := alias.first
			for i := range n {
				text += fmt.Sprintf(alias.each, i+1, i)
			}
			add("aliases", text+fmt.Sprintf(alias.use, n))
		}
	}
	digits := strings.Repeat("9", 100_000)
	for _, text := range []string{
		"arith.constant " + digits + " : index", "arith.constant " + digits + " : i1000", "arith.constant 1.0e" + digits + " : f32",
		"arith.constant 0x" + digits + " : f64", "arith.constant dense<" + digits + "> : tensor<2xi8>", "arith.constant 1 : i" + digits,
		"arith.constant 1 : i16777216", "arith.constant -1 : i16777215",
		"arith.constant dense<1> : tensor<9223372036854775807x9223372036854775807xi8>", "arith.constant dense<1> : tensor<99999999999999999999xi8>",
		"arith.constant dense<1.5> : tensor<1000000000000xf64>", "arith.constant dense<> : tensor<0x1000000000000xf64>",
		"arith.constant dense<\"0x00\"> : tensor<1000000000000xi8>", "arith.constant sparse<[[999999999999]], [1]> : tensor<1000000000000xi8>",
		"tensor.empty() : tensor<" + strings.Repeat("1000000x", 1000) + "f32>", "tensor.empty() : tensor<" + strings.Repeat("1x", 100_000) + "f32>",
		"memref.alloc() : memref<4611686018427387904x4xi64>", "memref.alloc() {alignment = 9223372036854775807} : memref<4xi64>",
		"memref.alloca() : memref<4xi64, strided<[9223372036854775807], offset: 9223372036854775807>>",
		"memref.alloca() : memref<4xi64, affine_map<(d0) -> (d0 * 9223372036854775807 * 9223372036854775807)>>",
		"vector.create_mask : vector<9223372036854775807x9223372036854775807xi1>",
		"\"a.b\"() : () -> (i1) loc(\"x\":99999999999999999999:1)", "arith.constant array<i64: " + digits + ">",
	} {
		add("huge", "func.func @f() {\n  %0 = "+text+"\n  return\n}\n")
	}
	add("huge", `%0:4294967296 = "a.b"() : () -> i1`)
	add("huge", `%0:99999999999999999999 = "a.b"() : () -> i1`)
	add("huge", `"a.b"(%x#99999999999999999999) : (i1) -> ()`)
	add("huge", `"a.b"() {a = affine_map<(d0)[s99999999999999] -> (d99999999999999)>} : () -> ()`)
	add("huge", "func.func @"+strings.Repeat("a", 1<<20)+"() { return }")
	add("huge", "module attributes {a.b = \""+strings.Repeat("\\00", 1<<18)+"\"} {}")
	add("huge", strings.Repeat("// comment\n", 1<<17))
	add("huge", strings.Repeat("(", 1<<20))
	add("huge", "func.func @f("+strings.Repeat("%a: i1, ", 1<<12)+"%b: i1)")
	return in
}

// Nothing that is read makes the program crash or take forever: an input is accepted or
// refused with a message.
func TestHostileInputs(t *testing.T) {
	inputs := hostileInputs()
	if len(inputs) < 202 {
		t.Fatalf("there are %d inputs", len(inputs))
	}
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	for name, text := range inputs {
		for _, passes := range [][]string{nil, {"--canonicalize", "--cse", "--one-shot-bufferize=bufferize-function-boundaries", "--buffer-deallocation-pipeline"}} {
			args := append([]string{"freehold", "opt", "--allow-unregistered-dialect"}, passes...)
			var errs bytes.Buffer
			out := limitedWriter{left: 1 << 28}
			done := make(chan int, 1)
			go func() {
				done <- Main(driver.Freehold(), args, driver.Streams{In: strings.NewReader(text), Out: &out, Err: &errs})
			}()
			select {
			case status := <-done:
				if status != 0 && (status != 1 || errs.Len() == 0) {
					t.Errorf("%s: status %d: %.300s", name, status, errs.String())
				}
			case <-time.After(time.Minute): // much more than it takes on a busy machine
				t.Fatalf("%s, %v: it doesn't end: %.300s", name, passes, text)
			}
		}
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "freehold-crash-*")); len(left) > 0 {
		text, _ := os.ReadFile(left[0])
		t.Errorf("a pass crashed: %.2000s", text)
	}
}

// limitedWriter forgets what is written, and fails after left bytes.
type limitedWriter struct{ left int }

func (w *limitedWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, os.ErrClosed
	}
	return len(p), nil
}
