#!/usr/bin/env bash
# mlir-opt of LLVM 19: what is clamped to 7 to 9, and then to 0 to 6, is 7.
#
# After the second clamp all is at most 6, so that 6 is the only result. --canonicalize makes one clamp of two that follow each other. One would expect it to do so
# where the ranges overlap. Seen: it takes the larger of the lower limits, 7, and the smaller of the upper ones, 6, also where that is no range, and what that is
# lowered to gives 7, a number that the last clamp excludes.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >program.mlir <<'PROGRAM'
func.func private @printF32(f32)
func.func @f(%x: tensor<1xf32>) -> tensor<1xf32> {
  %y = tosa.clamp %x {min_fp = 7.0 : f32, max_fp = 9.0 : f32, min_int = 7 : i64, max_int = 9 : i64} : (tensor<1xf32>) -> tensor<1xf32>
  %z = tosa.clamp %y {min_fp = 0.0 : f32, max_fp = 6.0 : f32, min_int = 0 : i64, max_int = 6 : i64} : (tensor<1xf32>) -> tensor<1xf32>
  return %z : tensor<1xf32>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %x = arith.constant dense<8.0> : tensor<1xf32>
  %r = call @f(%x) : (tensor<1xf32>) -> tensor<1xf32>
  %n = tensor.extract %r[%c0] : tensor<1xf32>
  call @printF32(%n) : (f32) -> ()
  return
}
PROGRAM
lower() {
	"$bin/mlir-opt" "$1" -pass-pipeline='builtin.module(func.func(tosa-to-linalg),one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},func.func(convert-linalg-to-loops))' >in.mlir
	run
}
"$bin/mlir-opt" program.mlir --canonicalize >folded.mlir
grep -o 'm[axin]*_fp = [0-9.e+]*' folded.mlir | tee out
echo "as written: $(lower program.mlir)" | tee -a out
echo "with --canonicalize: $(lower folded.mlir)" | tee -a out
diff out - <<'OUT'
max_fp = 6.000000e+00
min_fp = 7.000000e+00
as written: 6
with --canonicalize: 7
OUT
echo 'as found: 7 is in the range from 0 to 6'
