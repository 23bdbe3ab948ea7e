#!/usr/bin/env bash
# mlir-opt of LLVM 19: the largest of minus infinities is the least finite number by tosa.
#
# One would expect tosa.reduce_max of -inf and -inf to be -inf, as vector.reduction of the same has it. Seen: -3.4e38, and 3.4e38 for tosa.reduce_min of infinities. A
# softmax over a row that is masked out then subtracts a finite number from -inf, and sums up zeros.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian, by --tosa-to-linalg.
source "$(dirname "$0")/mlir-19.bash"
cat >program.mlir <<'PROGRAM'
func.func private @printF32(f32)
func.func private @printComma()
func.func @most(%x: tensor<2xf32>) -> tensor<1xf32> {
  %r = tosa.reduce_max %x {axis = 0 : i32} : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
func.func @least(%x: tensor<2xf32>) -> tensor<1xf32> {
  %r = tosa.reduce_min %x {axis = 0 : i32} : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %x = arith.constant dense<0xFF800000> : tensor<2xf32>
  %y = arith.constant dense<0x7F800000> : tensor<2xf32>
  %a = call @most(%x) : (tensor<2xf32>) -> tensor<1xf32>
  %b = call @least(%y) : (tensor<2xf32>) -> tensor<1xf32>
  %n = tensor.extract %a[%c0] : tensor<1xf32>
  call @printF32(%n) : (f32) -> ()
  call @printComma() : () -> ()
  %m = tensor.extract %b[%c0] : tensor<1xf32>
  call @printF32(%m) : (f32) -> ()
  return
}
PROGRAM
"$bin/mlir-opt" program.mlir -pass-pipeline='builtin.module(func.func(tosa-to-linalg),one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},func.func(convert-linalg-to-loops))' >in.mlir
echo "$(run --expand-strided-metadata)" | tee out
diff out - <<<'-3.40282e+38, 3.40282e+38'
echo 'as found: infinities are finite'
