package bytecode_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/bytecode"
)

// long is a program that several goroutines read: functions in nested modules, with what is
// defined behind its uses, distinct attributes that several functions have, locations of all kinds,
// operations that aren't registered, and such as other versions of LLVM spell otherwise.
func long(n int) string {
	var b strings.Builder
	b.WriteString("#d = distinct[0]<1 : i8>\n#loc = loc(\"b.mlir\":3:4)\nmodule {\n")
	for i := range n {
		if i%50 == 0 {
			fmt.Fprintf(&b, "module @m%d {\n", i)
		}
		fmt.Fprintf(&b, `func.func @f%d(%%c: i1, %%m: memref<?xf32, 1>, %%lb: index loc("lb"(#loc)), %%x: tensor<%dxf32>) -> index attributes {d = #d} {
  cf.br ^second
^first:
  %%later = arith.addi %%sum, %%i : index
  cf.cond_br %%c, ^first, ^third
^second:
  %%i = arith.constant %d : index
  %%sum = arith.addi %%lb, %%i : index loc(fused<#d>["s", #loc])
  cf.br ^first
^third:
  %%r = scf.for %%k = %%lb to %%sum step %%i iter_args(%%a = %%i) -> index {
    %%n = arith.addi %%a, %%a : index loc(callsite("f%d" at #loc))
    scf.yield %%n : index
  }
  "x.unknown"(%%r, %%r, %%c) <{p = #d}> ({
    "x.inner"() ({ ^bb0(%%z: vector<[4]xi8>): "x.end"(%%z) : (vector<[4]xi8>) -> () }) : () -> ()
  }) {q = distinct[%d]<unit>} : (index, index, i1) -> ()
  %%f = arith.constant %d.5 : f32
  %%v = vector.transfer_read %%m[%%r], %%f : memref<?xf32, 1>, vector<4xf32>
  return %%r : index
}
`, i, i%7+1, i%9, i, i+1, i%5)
		if i%50 == 49 {
			b.WriteString("}\n")
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// shuffled parses a program and gives values other orders of their uses.
func shuffled(t testing.TB, src string) *asm.Document {
	d := parse(t, src)
	rnd := rand.New(rand.NewPCG(5, 6))
	d.Module.Walk(func(op *ir.Op) bool {
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for _, v := range b.Args() {
					places := make([]uint32, len(v.Uses()))
					for i, p := range rnd.Perm(len(places)) {
						places[i] = uint32(p)
					}
					v.OrderUses(places)
				}
			}
		}
		return true
	})
	return d
}

// outcome is all that there is to know of what several goroutines, or one, read: the program with
// its locations, its bytes with the orders of uses, or what is wrong.
func outcome(t testing.TB, data []byte, threads int) string {
	d, err := bytecode.Read(newContext(), data, "a.mlirbc", asm.ParseOptions{Threads: threads})
	if err != nil {
		return err.Error() + fmt.Sprint(err.(*ir.Diagnostic).Notes)
	}
	return text(d) + string(write(t, d, bytecode.Options{Version: bytecode.Version}))
}

// What several goroutines read is what one reads, in all versions.
func TestThreads(t *testing.T) {
	d := shuffled(t, long(400))
	for v := bytecode.MinVersion; v <= bytecode.Version; v++ {
		for _, llvm := range []int{16, 19, 22} {
			data := write(t, d, bytecode.Options{Version: v, LLVM: llvm})
			if len(data) < 1<<16+1<<15 {
				t.Fatalf("%d bytes are too few", len(data))
			}
			want := outcome(t, data, 1)
			if !strings.Contains(want, "@f399(") {
				t.Fatalf("version %d of LLVM %d: %.300s", v, llvm, want)
			}
			if got := outcome(t, data, 3); got != want {
				t.Errorf("version %d of LLVM %d: several goroutines read something else", v, llvm)
			}
		}
	}
}

// What is wrong is the same, whoever finds it.
func TestThreadsFindTheSame(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	data := write(t, shuffled(t, long(250)), bytecode.Options{Version: bytecode.Version})
	for i := range 120 {
		bad := bytes.Clone(data)
		for range 1 + i%3 {
			// Most of the file is operations, which come last but for properties.
			bad[4+rnd.IntN(len(bad)-4)] = byte(rnd.Uint32())
		}
		if want, got := outcome(t, bad, 1), outcome(t, bad, 4); got != want {
			t.Fatalf("%d: several goroutines say\n%.300s\nand one\n%.300s", i, got, want)
		}
	}
}
