package compile_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"freehold/compile"
	"freehold/ir"
	"freehold/pass"
)

// products multiplies three matrices, of which the product of the first two is large.
const products = `
func.func @main(%x: tensor<64x8xf32>, %y: tensor<8x64xf32>, %z: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = linalg.matmul ins(%x, %y : tensor<64x8xf32>, tensor<8x64xf32>) outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>
  %e2 = tensor.empty() : tensor<64x8xf32>
  %j = linalg.fill ins(%zero : f32) outs(%e2 : tensor<64x8xf32>) -> tensor<64x8xf32>
  %q = linalg.matmul ins(%p, %z : tensor<64x64xf32>, tensor<64x8xf32>) outs(%j : tensor<64x8xf32>) -> tensor<64x8xf32>
  return %q : tensor<64x8xf32>
}`

// kept has a tensor that is cheap to compute, and is kept while a larger one is there, of which all is needed at once.
const kept = `
func.func @main(%x: tensor<64xf32>, %m: tensor<64x64xf32>, %i: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64xf32>
  %a = linalg.exp ins(%x : tensor<64xf32>) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  %p = tensor.extract %a[%i] : tensor<64xf32>
  %b = tensor.splat %p : tensor<128xf32>
  %q = tensor.extract %b[%i] : tensor<128xf32>
  %e1 = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%q : f32) outs(%e1 : tensor<f32>) -> tensor<f32>
  %d = linalg.dot ins(%a, %a : tensor<64xf32>, tensor<64xf32>) outs(%z : tensor<f32>) -> tensor<f32>
  %r = tensor.extract %d[] : tensor<f32>
  return %r : f32
}`

// Programs are compiled in the cheapest way that keeps to a limit, and compute the same.
func TestMaxMemory(t *testing.T) {
	for _, tt := range []struct {
		source string
		limit  int64
		work   float64
		way    compile.Way
		extra  bool
	}{
		{products, 2200, 0, compile.ByTiles, false}, // of what a step computes
		{products, 1 << 20, 1, compile.ByOrder, false},
		{products, 8192, 1, compile.ByTiles, false},
		{products, compile.LeastMemory, 0, compile.ByTiles, false},
		{kept, 600, 1, compile.ByWork, true},
	} {
		s, module := program(t, tt.source)
		c := compile.Compiler{Options: compile.Options{MaxMemory: tt.limit, ExtraWork: tt.work}, Registry: s.Passes, Execution: random()}
		r, err := c.Compile(module)
		if err != nil {
			t.Fatalf("%v\n%s", err, tt.source)
		}
		var chosen *compile.Attempt
		for i := range r.Attempts {
			if r.Attempts[i].Chosen {
				chosen = &r.Attempts[i]
			}
		}
		if chosen == nil || chosen.Way != tt.way || chosen.ExtraWork > 0 != tt.extra || r.Wrong() || !r.Check.Safe() {
			t.Errorf("limit %d: %+v; wrong: %v\n%s", tt.limit, r.Attempts, r.Wrong(), tt.source)
		}
		if tt.limit > 0 && r.After.Peak.Bytes > tt.limit {
			t.Errorf("%v for a limit of %d\n%s", r.After.Peak, tt.limit, tt.source)
		}
	}
}

// A limit that can't be kept is an error at what needs most, which says how much that is, and names what is alive there.
func TestMaxMemoryRefused(t *testing.T) {
	s, module := program(t, products)
	var said []*ir.Diagnostic
	c := compile.Compiler{Options: compile.Options{MaxMemory: 1024, ExtraWork: 0.1}, Registry: s.Passes, Runner: &pass.Runner{Sink: func(d *ir.Diagnostic) { said = append(said, d) }}}
	_, err := c.Compile(module)
	var refused *compile.RefusedError
	if !errors.As(err, &refused) || len(said) != 1 || !strings.Contains(err.Error(), "the program needs 2.0 KiB at least, and no more than 1.0 KiB are allowed") {
		t.Fatalf("%d diagnostics, %v", len(said), err)
	}
	if text := fmt.Sprint(said[0].Notes); !strings.Contains(text, "makes a tensor of 2.0 KiB that is alive then") {
		t.Errorf("notes: %s", text)
	}
}
