package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"freehold/exec"
	"freehold/exec/interp"
)

// accesses are operations on buffers %0, %1, ... of the types; other values they use are
// defined before.
var accesses = []struct{ op, types string }{
	{`%r = memref.load %0[%c0] : memref<4xf32>`, "memref<4xf32>"},
	{`memref.store %f, %0[%c0] : memref<4xf32>`, "memref<4xf32>"},
	{`memref.copy %0, %1 : memref<4xf32> to memref<4xf32>`, "memref<4xf32> memref<4xf32>"},
	{`%r = memref.atomic_rmw addf %f, %0[%c0] : (f32, memref<4xf32>) -> f32`, "memref<4xf32>"},
	{`%r = memref.generic_atomic_rmw %0[%c0] : memref<4xf32> {
	^bb0(%x: f32):
	  memref.atomic_yield %f : f32
	}`, "memref<4xf32>"},
	{`%r = memref.dim %0, %c0 : memref<4xf32>`, "memref<4xf32>"},
	{`%r = memref.rank %0 : memref<4xf32>`, "memref<4xf32>"},
	{`memref.assume_alignment %0, 4 : memref<4xf32>`, "memref<4xf32>"},
	{`%r = memref.extract_aligned_pointer_as_index %0 : memref<4xf32> -> index`, "memref<4xf32>"},
	{`%b, %o, %s, %t = memref.extract_strided_metadata %0 : memref<4xf32> -> memref<f32>, index, index, index`, "memref<4xf32>"},
	{`%r = memref.cast %0 : memref<4xf32> to memref<?xf32>`, "memref<4xf32>"},
	{`%r = memref.subview %0[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>`, "memref<4xf32>"},
	{`%r = memref.reinterpret_cast %0 to offset: [0], sizes: [4], strides: [1] : memref<4xf32> to memref<4xf32>`, "memref<4xf32>"},
	{`%r = memref.collapse_shape %0 [[0, 1]] : memref<2x2xf32> into memref<4xf32>`, "memref<2x2xf32>"},
	{`%r = memref.expand_shape %0 [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>`, "memref<4xf32>"},
	{`%r = memref.transpose %0 (i, j) -> (j, i) : memref<2x2xf32> to memref<2x2xf32, strided<[1, 2]>>`, "memref<2x2xf32>"},
	{`%r = memref.view %0[%c0][] : memref<16xi8> to memref<4xf32>`, "memref<16xi8>"},
	{`%r = memref.reshape %0(%1) : (memref<4xf32>, memref<1xindex>) -> memref<?xf32>`, "memref<4xf32> memref<1xindex>"},
	{`%r = memref.realloc %0 : memref<4xf32> to memref<8xf32>
	memref.dealloc %r : memref<8xf32>`, "memref<4xf32>"},
	{`memref.dealloc %0 : memref<4xf32>`, "memref<4xf32>"},
	{`%r = bufferization.clone %0 : memref<4xf32> to memref<4xf32>
	memref.dealloc %r : memref<4xf32>`, "memref<4xf32>"},
	{`%r = affine.load %0[0] : memref<4xf32>`, "memref<4xf32>"},
	{`affine.store %f, %0[0] : memref<4xf32>`, "memref<4xf32>"},
	{`%r = affine.vector_load %0[0] : memref<4xf32>, vector<2xf32>`, "memref<4xf32>"},
	{`affine.vector_store %v, %0[0] : memref<4xf32>, vector<2xf32>`, "memref<4xf32>"},
	{`%r = vector.load %0[%c0] : memref<4xf32>, vector<2xf32>`, "memref<4xf32>"},
	{`vector.store %v, %0[%c0] : memref<4xf32>, vector<2xf32>`, "memref<4xf32>"},
	{`%r = vector.transfer_read %0[%c0], %f : memref<4xf32>, vector<2xf32>`, "memref<4xf32>"},
	{`vector.transfer_write %v, %0[%c0] : vector<2xf32>, memref<4xf32>`, "memref<4xf32>"},
	{`%r = vector.maskedload %0[%c0], %mask, %v : memref<4xf32>, vector<2xi1>, vector<2xf32> into vector<2xf32>`, "memref<4xf32>"},
	{`vector.maskedstore %0[%c0], %mask, %v : memref<4xf32>, vector<2xi1>, vector<2xf32>`, "memref<4xf32>"},
	{`%r = vector.expandload %0[%c0], %mask, %v : memref<4xf32>, vector<2xi1>, vector<2xf32> into vector<2xf32>`, "memref<4xf32>"},
	{`vector.compressstore %0[%c0], %mask, %v : memref<4xf32>, vector<2xi1>, vector<2xf32>`, "memref<4xf32>"},
	{`%r = vector.gather %0[%c0] [%at], %mask, %v : memref<4xf32>, vector<2xindex>, vector<2xi1>, vector<2xf32> into vector<2xf32>`, "memref<4xf32>"},
	{`vector.scatter %0[%c0] [%at], %mask, %v : memref<4xf32>, vector<2xindex>, vector<2xi1>, vector<2xf32>`, "memref<4xf32>"},
	{`linalg.fill ins(%f : f32) outs(%0 : memref<4xf32>)`, "memref<4xf32>"},
	{`linalg.copy ins(%0 : memref<4xf32>) outs(%1 : memref<4xf32>)`, "memref<4xf32> memref<4xf32>"},
	{`linalg.add ins(%0, %1 : memref<4xf32>, memref<4xf32>) outs(%2 : memref<4xf32>)`, "memref<4xf32> memref<4xf32> memref<4xf32>"},
	{`linalg.exp ins(%0 : memref<4xf32>) outs(%1 : memref<4xf32>)`, "memref<4xf32> memref<4xf32>"},
	{`linalg.matmul ins(%0, %1 : memref<2x2xf32>, memref<2x2xf32>) outs(%2 : memref<2x2xf32>)`, "memref<2x2xf32> memref<2x2xf32> memref<2x2xf32>"},
	{`linalg.dot ins(%0, %1 : memref<4xf32>, memref<4xf32>) outs(%2 : memref<f32>)`, "memref<4xf32> memref<4xf32> memref<f32>"},
	{`linalg.conv_1d ins(%0, %1 : memref<4xf32>, memref<2xf32>) outs(%2 : memref<3xf32>)`, "memref<4xf32> memref<2xf32> memref<3xf32>"},
	{`linalg.transpose ins(%0 : memref<2x2xf32>) outs(%1 : memref<2x2xf32>) permutation = [1, 0]`, "memref<2x2xf32> memref<2x2xf32>"},
	{`linalg.broadcast ins(%0 : memref<4xf32>) outs(%1 : memref<4x2xf32>) dimensions = [1]`, "memref<4xf32> memref<4x2xf32>"},
	{`linalg.map ins(%0 : memref<4xf32>) outs(%1 : memref<4xf32>) (%x: f32) {
	  linalg.yield %x : f32
	}`, "memref<4xf32> memref<4xf32>"},
	{`linalg.reduce ins(%0 : memref<2x2xf32>) outs(%1 : memref<2xf32>) dimensions = [1] (%x: f32, %y: f32) {
	  linalg.yield %x : f32
	}`, "memref<2x2xf32> memref<2xf32>"},
	{`linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : memref<4xf32>) outs(%1 : memref<4xf32>) {
	^bb0(%x: f32, %y: f32):
	  linalg.yield %x : f32
	}`, "memref<4xf32> memref<4xf32>"},
	{`linalg.softmax dimension(1) ins(%0 : memref<2x2xf32>) outs(%1 : memref<2x2xf32>)`, "memref<2x2xf32> memref<2x2xf32>"},
	{`test.copy(%0, %1) : (memref<4xf32>, memref<4xf32>)`, "memref<4xf32> memref<4xf32>"},
}

// An operation on a freed buffer is unsafe just if execution says so: the rules agree with
// what operations do.
func TestRulesAgreeWithExecution(t *testing.T) {
	for _, access := range accesses {
		types := strings.Fields(access.types)
		name, _, _ := strings.Cut(strings.TrimPrefix(access.op[strings.LastIndex(access.op[:strings.Index(access.op, ".")], " ")+1:], " "), " ")
		for freed := range types {
			var b strings.Builder
			b.WriteString(`func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %v = arith.constant dense<1.0> : vector<2xf32>
  %mask = arith.constant dense<true> : vector<2xi1>
  %at = arith.constant dense<[0, 1]> : vector<2xindex>
`)
			for i, typ := range types {
				fmt.Fprintf(&b, "  %%%d = memref.alloc() : %s\n", i, typ)
				var fill string
				switch {
				case strings.HasSuffix(typ, "index>"):
					fill = "%%s%[1]d = arith.constant 4 : index\n  linalg.fill ins(%%s%[1]d : index) outs(%%%[1]d : %[2]s)\n"
				case strings.HasSuffix(typ, "i8>"):
					fill = "%%s%[1]d = arith.constant 4 : i8\n  linalg.fill ins(%%s%[1]d : i8) outs(%%%[1]d : %[2]s)\n"
				default:
					fill = "linalg.fill ins(%%f : f32) outs(%%%d : %s)\n"
				}
				fmt.Fprintf(&b, "  "+fill, i, typ)
			}
			fmt.Fprintf(&b, "  memref.dealloc %%%d : %s\n  %s\n", freed, types[freed], access.op)
			ends := strings.Contains(access.op, "memref.realloc %") || strings.HasPrefix(access.op, "memref.dealloc")
			for i, typ := range types {
				if i != freed && !ends {
					fmt.Fprintf(&b, "  memref.dealloc %%%d : %s\n", i, typ)
				}
			}
			b.WriteString("  return\n}\n")
			m := load([]byte(b.String()))
			if m == nil {
				t.Errorf("%s: not valid:\n%s", name, b.String())
				continue
			}
			res, err := interp.Run(m, functions(m)[0], nil, interp.Options{})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			wrong := slices.ContainsFunc(res.Findings, func(f *exec.Finding) bool {
				return f.Kind == exec.UseAfterFree || f.Kind == exec.DoubleFree
			})
			want := "safe"
			if wrong {
				want = "unsafe"
			}
			if got := verdict(m); got != want {
				t.Errorf("%s of a freed operand %d: %s, but execution says %s", name, freed, got, want)
			}
		}
	}
}
