package footprint_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/compile"
	"freehold/exec/interp"
	"freehold/internal/testing/irgen"
	"freehold/memory/footprint"
)

// apart is the pipeline of compile without arenas.
var apart = compile.Options{Arena: compile.NoArena}.Pipeline()

// fromTensors are pipelines that make buffers of tensors, and free them. The first ones don't move frees under conditions
// up to the last use of what these free.
func fromTensors() []string {
	return []string{bufferized, strings.TrimSuffix(compile.Bufferization(), ")") + ",complete-buffer-deallocation-pipeline,free-after-last-use)", apart}
}

// The peak of a program on tensors isn't below what an execution of the program on buffers needs that a pipeline makes of it.
func TestPeakOfTensorsIsBound(t *testing.T) {
	for _, g := range irgen.Generators {
		if g.Name != "tensors" && g.Name != "loops" && g.Name != "calls" {
			continue
		}
		for i, pipeline := range fromTensors() {
			compared, tight := 0, 0
			for seed := range uint64(*programs) {
				rnd := rand.New(rand.NewPCG(seed, 23))
				src := g.Generate(rnd.IntN, 4+rnd.IntN(20))
				m := parse(t, src)
				fn, err := interp.Entry(m, "main")
				if err != nil {
					t.Fatal(err)
				}
				f := footprint.Analyze(m).Of(fn)
				if f.Unknown || !f.Peak().IsStatic() {
					continue
				}
				run(t, m, pipeline)
				if pipeline != apart && freesUnderConditions(footprint.Analyze(m)) {
					continue
				}
				if fn, err = interp.Entry(m, "main"); err != nil {
					t.Fatal(err)
				}
				need := execute(t, fn, g)
				compared++
				if peak := f.Peak().Bytes; peak < need {
					t.Errorf("%s %d: the peak is %d, but an execution needs %d after %s\n%s", g.Name, seed, peak, need, pipeline, src)
				} else if peak == need && need > 0 {
					tight++
				}
			}
			t.Logf("%s, pipeline %d: %d programs, %d need exactly their peak", g.Name, i, compared, tight)
			if compared == 0 {
				t.Errorf("no program of %s is compared", g.Name)
			}
		}
	}
}

func freesUnderConditions(p *footprint.Program) bool {
	for _, f := range p.Functions {
		if f.ConditionalFrees > 0 {
			return true
		}
	}
	return false
}

// What control flow, calls and returns may have to copy counts, and only that.
func TestPeakOfCopies(t *testing.T) {
	for _, x := range []struct {
		name, src string
		peak      int64
	}{
		{"an argument that is returned", `func.func @main(%a: tensor<64xf32>) -> tensor<64xf32> {
  return %a : tensor<64xf32>
}`, 256},
		{"a constant that is returned", `func.func @main() -> tensor<64xf32> {
  %a = arith.constant dense<1.0> : tensor<64xf32>
  return %a : tensor<64xf32>
}`, 256},
		{"a tensor that is returned", `func.func @main(%x: f32) -> tensor<64xf32> {
  %a = tensor.splat %x : tensor<64xf32>
  return %a : tensor<64xf32>
}`, 256},
		{"a tensor that is returned twice", `func.func @main(%x: f32) -> (tensor<64xf32>, tensor<64xf32>) {
  %a = tensor.splat %x : tensor<64xf32>
  return %a, %a : tensor<64xf32>, tensor<64xf32>
}`, 512},
		{"an argument that a loop goes on from", `func.func @main(%a: tensor<64xf32>, %x: f32) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %a) -> (tensor<64xf32>) {
    %u = tensor.insert %x into %t[%i] : tensor<64xf32>
    %y = tensor.extract %t[%i] : tensor<64xf32>
    %v = tensor.insert %y into %u[%c2] : tensor<64xf32>
    scf.yield %v : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}`, 768},
		{"an argument that a loop writes", `func.func @main(%a: tensor<64xf32>, %x: f32) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %a) -> (tensor<64xf32>) {
    %u = tensor.insert %x into %t[%i] : tensor<64xf32>
    scf.yield %u : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}`, 512},
		{"a tensor that is yielded and used afterwards", `func.func @main(%x: f32, %b: i1) -> (tensor<64xf32>, tensor<64xf32>) {
  %a = tensor.splat %x : tensor<64xf32>
  %r = scf.if %b -> (tensor<64xf32>) {
    scf.yield %a : tensor<64xf32>
  } else {
    %c = tensor.splat %x : tensor<64xf32>
    scf.yield %c : tensor<64xf32>
  }
  return %a, %r : tensor<64xf32>, tensor<64xf32>
}`, 768},
		{"a slice that is used longer than its tensor", `func.func @main(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = tensor.splat %x : tensor<64xf32>
  %s = tensor.extract_slice %a[3] [2] [1] : tensor<64xf32> to tensor<2xf32>
  %b = tensor.splat %x : tensor<64xf32>
  %y = tensor.extract %b[%c0] : tensor<64xf32>
  %z = tensor.extract %s[%c0] : tensor<2xf32>
  %r = arith.addf %y, %z : f32
  return %r : f32
}`, 520},
		{"a call that writes what is used afterwards", `func.func private @f(%t: tensor<64xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %u = linalg.fill ins(%x : f32) outs(%t : tensor<64xf32>) -> tensor<64xf32>
  %y = tensor.extract %u[%c0] : tensor<64xf32>
  return %y : f32
}
func.func @main(%x: f32) -> (f32, tensor<64xf32>) {
  %a = tensor.splat %x : tensor<64xf32>
  %y = call @f(%a, %x) : (tensor<64xf32>, f32) -> f32
  return %y, %a : f32, tensor<64xf32>
}`, 768},
		{"a call that reads what is used afterwards", `func.func private @f(%t: tensor<64xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %y = tensor.extract %t[%c0] : tensor<64xf32>
  return %y : f32
}
func.func @main(%x: f32) -> (f32, tensor<64xf32>) {
  %a = tensor.splat %x : tensor<64xf32>
  %y = call @f(%a) : (tensor<64xf32>) -> f32
  return %y, %a : f32, tensor<64xf32>
}`, 256},
	} {
		peak, need := peaks(t, x.src, irgen.Generator{})
		if !peak.IsStatic() || peak.Bytes < need || need == 0 {
			t.Errorf("%s: the peak is %v, but an execution needs %d", x.name, peak, need)
		}
		if peak.Bytes != x.peak {
			t.Errorf("%s: the peak is %v instead of %d; an execution needs %d", x.name, peak, x.peak, need)
		}
	}
}
