#!/usr/bin/env bash
# mlir-opt of LLVM 19: tosa.mul by zeros is zeros, whatever else is multiplied, and tosa.add of zeros nothing.
#
# 0 times NaN or infinity is NaN, and -0 + 0 is 0. --canonicalize leaves arith.mulf by 0 and arith.addf of 0 as they are. One would expect the same of tosa. Seen: a
# product with a constant of zeros becomes the constant, so that a mask of zeros hides a NaN only if it is known beforehand, and a sum with zeros is its other
# operand, -0 too.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func @tosa(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %z = "tosa.const"() {value = dense<0.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %p = tosa.mul %x, %z {shift = 0 : i8} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %s = tosa.add %x, %z : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %p, %s : tensor<2xf32>, tensor<2xf32>
}
func.func @arith(%x: f32) -> (f32, f32) {
  %z = arith.constant 0.0 : f32
  %p = arith.mulf %x, %z : f32
  %s = arith.addf %x, %z : f32
  return %p, %s : f32, f32
}
PROGRAM
"$bin/mlir-opt" in.mlir --canonicalize | grep -oE '%[a-z0-9]+ = (arith|.?tosa)\.[a-z]+|return %[a-z0-9]+, %[a-z0-9]+' | tee out
diff out - <<'OUT'
%0 = "tosa.const
return %0, %arg0
%cst = arith.constant
%0 = arith.mulf
%1 = arith.addf
return %0, %1
OUT
echo 'as found: zeros take all, and add nothing'
