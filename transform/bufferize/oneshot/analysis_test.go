package oneshot_test

import (
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/bufferize/oneshot"
)

// The analysis decides against bufferization in place exactly where the program
// says "copy" in the attribute expect.
func TestConflicts(t *testing.T) {
	const head = "func.func @f(%c: i1, %i: index, %x: f32, %t: tensor<8xf32>, %u: tensor<8xf32>, %s: tensor<4xf32>, %ro: tensor<8xf32> {bufferization.writable = false}) -> (tensor<8xf32>, f32) {\n"
	const tail = "\n  %read = tensor.extract %use[%i] : tensor<8xf32>\n  return %out, %read : tensor<8xf32>, f32\n}\n"
	for _, c := range []struct{ name, body string }{
		{"write, then read of the result", `
			%out = tensor.insert %x into %t[%i] : tensor<8xf32>
			%use = tensor.cast %out : tensor<8xf32> to tensor<8xf32>`},
		{"read after write", `
			%out = tensor.insert %x into %t[%i] {expect = "copy"} : tensor<8xf32>
			%use = tensor.cast %t : tensor<8xf32> to tensor<8xf32>`},
		{"read before write", `
			%before = tensor.extract %t[%i] : tensor<8xf32>
			%out = tensor.insert %before into %t[%i] : tensor<8xf32>
			%use = tensor.cast %u : tensor<8xf32> to tensor<8xf32>`},
		{"read-only argument", `
			%out = tensor.insert %x into %ro[%i] {expect = "copy"} : tensor<8xf32>
			%use = tensor.cast %t : tensor<8xf32> to tensor<8xf32>`},
		{"write to a view", `
			%part = tensor.extract_slice %t[0] [4] [1] {expect = "copy"} : tensor<8xf32> to tensor<4xf32>
			%w = linalg.fill ins(%x : f32) outs(%part : tensor<4xf32>) -> tensor<4xf32>
			%y = tensor.extract %w[%i] : tensor<4xf32>
			%out = tensor.insert %y into %u[%i] : tensor<8xf32>
			%use = tensor.cast %t : tensor<8xf32> to tensor<8xf32>`},
		{"update of a part", `
			%part = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
			%w = linalg.fill ins(%x : f32) outs(%part : tensor<4xf32>) -> tensor<4xf32>
			%out = tensor.insert_slice %w into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
			%use = tensor.cast %u : tensor<8xf32> to tensor<8xf32>`},
		{"other branch reads", `
			%out = scf.if %c -> tensor<8xf32> {
			  %w = tensor.insert %x into %t[%i] : tensor<8xf32>
			  scf.yield %w : tensor<8xf32>
			} else {
			  %y = tensor.extract %t[%i] : tensor<8xf32>
			  %w = tensor.insert %y into %t[%i] : tensor<8xf32>
			  scf.yield %w : tensor<8xf32>
			}
			%use = tensor.cast %u : tensor<8xf32> to tensor<8xf32>`},
		{"read in the next iteration", `
			%c0 = arith.constant 0 : index
			%c1 = arith.constant 1 : index
			%sum = scf.for %j = %c0 to %i step %c1 iter_args(%acc = %x) -> f32 {
			  %y = tensor.extract %t[%j] : tensor<8xf32>
			  %w = tensor.insert %acc into %t[%j] {expect = "copy"} : tensor<8xf32>
			  %z = tensor.extract %w[%c0] : tensor<8xf32>
			  %a = arith.addf %y, %z : f32
			  scf.yield %a : f32
			}
			%out = tensor.insert %sum into %u[%i] : tensor<8xf32>
			%use = tensor.cast %out : tensor<8xf32> to tensor<8xf32>`},
		{"elementwise on its own input", `
			%out = linalg.add ins(%t, %t : tensor<8xf32>, tensor<8xf32>) outs(%t : tensor<8xf32>) -> tensor<8xf32>
			%use = tensor.cast %out : tensor<8xf32> to tensor<8xf32>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx := ir.NewContext(dialect.All()...)
			m, err := asm.Parse(ctx, []byte(head+c.body+tail), "test.mlir", asm.ParseOptions{})
			if err == nil {
				err = ir.Verify(m)
			}
			if err != nil {
				t.Fatal(err)
			}
			o := oneshot.DefaultOptions()
			o.BufferizeFunctionBoundaries, o.TestAnalysisOnly = true, true
			if err := oneshot.Run(m, o); err != nil {
				t.Fatal(err)
			}
			m.Walk(func(op *ir.Op) bool {
				decision := op.Attr("__inplace_operands_attr__")
				if decision == nil {
					return true
				}
				copies := strings.Contains(decision.String(), "false")
				if want := op.Attr("expect") != nil; copies != want {
					t.Errorf("%s %s: want a copy: %v", op.Name(), decision, want)
				}
				return true
			})
		})
	}
}
