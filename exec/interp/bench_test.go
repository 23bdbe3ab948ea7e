package interp_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"freehold/exec"
	"freehold/exec/interp"
)

// bench runs a program on random arguments.
func bench(b *testing.B, src string) {
	m := load(b, src)
	fn, err := interp.Entry(m, "")
	if err != nil {
		b.Fatal(err)
	}
	var args []interp.Value
	for i, t := range exec.NewProgram(m).Function(fn).Type().Inputs {
		v, err := interp.Random(t, nil, rand.New(rand.NewPCG(1, uint64(i))))
		if err != nil {
			b.Fatal(err)
		}
		args = append(args, v)
	}
	for b.Loop() {
		res, err := interp.Run(m, fn, args, interp.Options{})
		if err != nil || len(res.Findings) > 0 {
			b.Fatal(err, res)
		}
	}
}

func BenchmarkMatmul(b *testing.B) {
	b.Run("named", func(b *testing.B) {
		bench(b, `func.func @f(%a: memref<512x512xf32>, %b: memref<512x512xf32>, %c: memref<512x512xf32>) {
			linalg.matmul ins(%a, %b : memref<512x512xf32>, memref<512x512xf32>) outs(%c : memref<512x512xf32>)
			return
		}`)
	})
	b.Run("transposed", func(b *testing.B) {
		bench(b, `func.func @f(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>, %c: tensor<512x512xf32>) -> tensor<512x512xf32> {
			%r = linalg.matmul_transpose_b ins(%a, %b : tensor<512x512xf32>, tensor<512x512xf32>) outs(%c : tensor<512x512xf32>) -> tensor<512x512xf32>
			return %r : tensor<512x512xf32>
		}`)
	})
	b.Run("generic", func(b *testing.B) {
		bench(b, `func.func @f(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>, %c: tensor<512x512xf32>) -> tensor<512x512xf32> {
			%r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
				iterator_types = ["parallel", "parallel", "reduction"]}
				ins(%a, %b : tensor<512x512xf32>, tensor<512x512xf32>) outs(%c : tensor<512x512xf32>) {
			^bb0(%x: f32, %y: f32, %z: f32):
				%p = arith.mulf %x, %y : f32
				%n = arith.negf %p : f32
				%s = arith.subf %z, %n : f32
				linalg.yield %s : f32
			} -> tensor<512x512xf32>
			return %r : tensor<512x512xf32>
		}`)
	})
	b.Run("loops128", func(b *testing.B) {
		bench(b, `func.func @f(%a: memref<128x128xf32>, %b: memref<128x128xf32>, %c: memref<128x128xf32>) {
			%c0 = arith.constant 0 : index
			%c1 = arith.constant 1 : index
			%n = arith.constant 128 : index
			scf.for %i = %c0 to %n step %c1 {
				scf.for %j = %c0 to %n step %c1 {
					scf.for %k = %c0 to %n step %c1 {
						%x = memref.load %a[%i, %k] : memref<128x128xf32>
						%y = memref.load %b[%k, %j] : memref<128x128xf32>
						%z = memref.load %c[%i, %j] : memref<128x128xf32>
						%p = arith.mulf %x, %y : f32
						%s = arith.addf %z, %p : f32
						memref.store %s, %c[%i, %j] : memref<128x128xf32>
					}
				}
			}
			return
		}`)
	})
}

// BenchmarkVectors executes a product of matrices by rows of vectors.
func BenchmarkVectors(b *testing.B) {
	bench(b, `func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
		%c0 = arith.constant 0 : index
		%c1 = arith.constant 1 : index
		%c8 = arith.constant 8 : index
		%n = arith.constant 64 : index
		%z = arith.constant 0.0 : f32
		scf.for %i = %c0 to %n step %c1 {
			scf.for %j = %c0 to %n step %c8 {
				%v = vector.load %c[%i, %j] : memref<64x64xf32>, vector<8xf32>
				%r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %v) -> vector<8xf32> {
					%x = memref.load %a[%i, %k] : memref<64x64xf32>
					%y = vector.broadcast %x : f32 to vector<8xf32>
					%w = vector.transfer_read %b[%k, %j], %z : memref<64x64xf32>, vector<8xf32>
					%s = vector.fma %y, %w, %acc : vector<8xf32>
					scf.yield %s : vector<8xf32>
				}
				vector.store %r, %c[%i, %j] : memref<64x64xf32>, vector<8xf32>
			}
		}
		return
	}`)
}

// BenchmarkAttention executes the example of attention.
func BenchmarkAttention(b *testing.B) {
	src, err := os.ReadFile("../../examples/attention.mlir")
	if err != nil {
		b.Fatal(err)
	}
	bench(b, string(src))
}

func BenchmarkConvolution(b *testing.B) {
	bench(b, `func.func @f(%x: tensor<1x56x56x64xf32>, %w: tensor<3x3x64x64xf32>, %o: tensor<1x54x54x64xf32>) -> tensor<1x54x54x64xf32> {
		%r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) outs(%o : tensor<1x54x54x64xf32>) -> tensor<1x54x54x64xf32>
		return %r : tensor<1x54x54x64xf32>
	}`)
}

func BenchmarkSoftmaxOfScores(b *testing.B) {
	bench(b, `
		#all = affine_map<(h, i, j) -> (h, i, j)>
		#row = affine_map<(h, i, j) -> (h, i)>
		func.func @f(%s: tensor<8x256x256xf32>, %max0: tensor<8x256xf32>, %sum0: tensor<8x256xf32>) -> tensor<8x256x256xf32> {
			%max = linalg.reduce { arith.maximumf } ins(%s : tensor<8x256x256xf32>) outs(%max0 : tensor<8x256xf32>) dimensions = [2]
			%e = tensor.empty() : tensor<8x256x256xf32>
			%exp = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
				ins(%s, %max : tensor<8x256x256xf32>, tensor<8x256xf32>) outs(%e : tensor<8x256x256xf32>) {
			^bb0(%x: f32, %m: f32, %o: f32):
				%d = arith.subf %x, %m : f32
				%y = math.exp %d : f32
				linalg.yield %y : f32
			} -> tensor<8x256x256xf32>
			%sum = linalg.reduce { arith.addf } ins(%exp : tensor<8x256x256xf32>) outs(%sum0 : tensor<8x256xf32>) dimensions = [2]
			%r = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
				ins(%exp, %sum : tensor<8x256x256xf32>, tensor<8x256xf32>) outs(%e : tensor<8x256x256xf32>) {
			^bb0(%x: f32, %m: f32, %o: f32):
				%y = arith.divf %x, %m : f32
				linalg.yield %y : f32
			} -> tensor<8x256x256xf32>
			return %r : tensor<8x256x256xf32>
		}`)
}
