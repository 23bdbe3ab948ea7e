package reduce_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"freehold/dialect"
	"freehold/internal/testing/irgen"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/tool/reduce"
)

func parse(t rapid.TB, src string) *ir.Op {
	t.Helper()
	m, err := asm.Parse(ir.NewContext(dialect.All()...), []byte(src), "test", asm.ParseOptions{})
	if err == nil {
		err = ir.Verify(m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func has(name string) func(m *ir.Op) bool {
	return func(m *ir.Op) bool {
		found := false
		m.Walk(func(op *ir.Op) bool {
			found = found || op.Name() == name
			return !found
		})
		return found
	}
}

func TestRun(t *testing.T) {
	for _, c := range []struct{ keep, src, want string }{
		{"arith.muli", `
func.func private @unused(%a: i32) -> i32 {
  return %a : i32
}
func.func @f(%a: i32, %b: i32, %c: i1) -> (i32, i32) {
  %0 = arith.addi %a, %b {note = "x"} : i32
  %1 = scf.if %c -> (i32) {
    %2 = arith.muli %0, %b : i32
    scf.yield %2 : i32
  } else {
    scf.yield %b : i32
  }
  return %1, %0 : i32, i32
}`, `module {
  func.func @f(%arg0: i32) {
    %0 = arith.muli %arg0, %arg0 : i32
    return
  }
}
`},
		{"memref.store", `
func.func @f(%c: i1, %x: f32, %m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.cond_br %c, ^a, ^b
^a:
  memref.store %x, %m[%c0] : memref<4xf32>
  cf.br ^end
^b:
  scf.for %i = %c0 to %c1 step %c1 {
    memref.store %x, %m[%i] : memref<4xf32>
  }
  cf.br ^end
^end:
  return
}`, `module {
  func.func @f(%arg0: f32, %arg1: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    memref.store %arg0, %arg1[%c0] : memref<4xf32>
    return
  }
}
`},
	} {
		m := parse(t, c.src)
		text := string(asm.Print(m, asm.PrintOptions{}))
		res := reduce.Run(m, reduce.Options{Interesting: has(c.keep)})
		if got := string(asm.Print(res.Module, asm.PrintOptions{})); got != c.want {
			t.Errorf("%s: got\n%s", c.keep, got)
		}
		if string(asm.Print(m, asm.PrintOptions{})) != text {
			t.Errorf("%s: the program that was given changed", c.keep)
		}
	}
}

// Of any program, what is left is valid, interesting, and nothing else.
func TestRandomPrograms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		choose := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "") }
		src := irgen.Buffers(choose, irgen.BufferKnobs{Size: 12, Loops: true, Switches: true})
		m := parse(t, src)
		if !has("memref.alloc")(m) {
			t.Skip("nothing to look for")
		}
		res := reduce.Run(m, reduce.Options{Interesting: has("memref.alloc"), MaxTests: 300})
		if err := ir.Verify(res.Module); err != nil {
			t.Fatal(err)
		}
		n := 0
		res.Module.Walk(func(*ir.Op) bool { n++; return true })
		if !has("memref.alloc")(res.Module) || !res.Limited && n > 12 {
			t.Fatalf("%d operations are left of\n%s\n%s", n, src, asm.Print(res.Module, asm.PrintOptions{}))
		}
	})
}

// An attribute that comes back by itself doesn't keep the search busy for ever.
func TestSearchEnds(t *testing.T) {
	m := parse(t, `
func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %m = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %m : tensor<8x8xf32>
}`)
	res := reduce.Run(m, reduce.Options{Interesting: has("linalg.matmul"), MaxTests: 1000})
	if res.Limited {
		t.Errorf("the search isn't over after %d programs", res.Tests)
	}
}

// What was found is kept when the search is interrupted, and what was being tried isn't.
func TestInterrupted(t *testing.T) {
	m := parse(t, `
func.func @f(%a: memref<4xf32>, %x: f32, %i: index) {
  memref.store %x, %a[%i] : memref<4xf32>
  %y = arith.addf %x, %x : f32
  memref.store %y, %a[%i] : memref<4xf32>
  return
}
func.func private @g()`)
	ctx, cancel := context.WithCancel(context.Background())
	tests := 0
	res := reduce.Run(m, reduce.Options{Context: ctx, Interesting: func(m *ir.Op) bool {
		if tests++; tests == 3 {
			cancel()
		}
		return has("memref.store")(m)
	}})
	if !res.Interrupted || res.Tests != 3 || !has("memref.store")(res.Module) {
		t.Errorf("interrupted: %v, after %d programs", res.Interrupted, res.Tests)
	}
}
