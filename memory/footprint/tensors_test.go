package footprint_test

import (
	"testing"

	"freehold/exec/interp"
	"freehold/internal/testing/irgen"
	"freehold/memory/footprint"
)

// bufferized is a pipeline that makes buffers of tensors, and frees them.
const bufferized = "builtin.module(one-shot-bufferize{bufferize-function-boundaries=1 allow-return-allocs-from-loops=1 function-boundary-type-conversion=identity-layout-map}," +
	"complete-buffer-deallocation-pipeline,free-after-last-use)"

// peaks returns the peak of a function on tensors, and what an execution of it on buffers needs.
func peaks(t *testing.T, src string, g irgen.Generator) (peak footprint.Size, need int64) {
	t.Helper()
	m := parse(t, src)
	fn, err := interp.Entry(m, "main")
	if err != nil {
		t.Fatal(err)
	}
	f := footprint.Analyze(m).Of(fn)
	peak = f.Peak()
	run(t, m, bufferized)
	if fn, err = interp.Entry(m, "main"); err != nil {
		t.Fatal(err)
	}
	if f.Unknown {
		return peak, 0
	}
	return peak, execute(t, fn, g)
}

// The peak of what operations with regions make of tensors isn't below what an execution needs: the results of a scf.forall, which nothing passes to
// them, and what is made in bodies beside the result.
func TestPeakOfTensors(t *testing.T) {
	const fill = `
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
`
	for _, x := range []struct {
		name, src string
		peak      int64
	}{
		{"two results of scf.forall", `func.func @main() -> f32 {` + fill + `
  %e0 = tensor.empty() : tensor<64xf32>
  %a = scf.forall (%i) in (64) shared_outs(%o = %e0) -> (tensor<64xf32>) {
    %s = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %v = linalg.fill ins(%one : f32) outs(%s : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  }
  %e1 = tensor.empty() : tensor<64xf32>
  %b = scf.forall (%i) in (64) shared_outs(%o = %e1) -> (tensor<64xf32>) {
    %s = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %v = linalg.fill ins(%one : f32) outs(%s : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  }
  %x = tensor.extract %a[%c0] : tensor<64xf32>
  %y = tensor.extract %b[%c0] : tensor<64xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}`, 3 * 256},
		{"the body of a scf.forall", `func.func @main() -> f32 {` + fill + `
  %e0 = tensor.empty() : tensor<64xf32>
  %a = scf.forall (%i) in (64) shared_outs(%o = %e0) -> (tensor<64xf32>) {
    %t = tensor.empty() : tensor<512xf32>
    %f = linalg.fill ins(%one : f32) outs(%t : tensor<512xf32>) -> tensor<512xf32>
    %s = tensor.extract_slice %f[%i] [1] [1] : tensor<512xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  }
  %x = tensor.extract %a[%c0] : tensor<64xf32>
  return %x : f32
}`, 256 + 2*2048},
		{"the body of a tensor.generate", `func.func @main() -> f32 {` + fill + `
  %a = tensor.generate {
  ^bb0(%i: index):
    %t = tensor.empty() : tensor<512xf32>
    %f = linalg.fill ins(%one : f32) outs(%t : tensor<512xf32>) -> tensor<512xf32>
    %v = tensor.extract %f[%i] : tensor<512xf32>
    tensor.yield %v : f32
  } : tensor<256xf32>
  %x = tensor.extract %a[%c0] : tensor<256xf32>
  return %x : f32
}`, 1024 + 2*2048},
	} {
		peak, need := peaks(t, x.src, irgen.Generator{})
		if !peak.IsStatic() || peak.Bytes < need || need == 0 {
			t.Errorf("%s: the peak is %v, but an execution needs %d", x.name, peak, need)
		}
		if peak.Bytes != x.peak {
			t.Errorf("%s: the peak is %v instead of %d", x.name, peak, x.peak)
		}
	}
}
