#!/usr/bin/env bash
# mlir-opt of LLVM 19: the logarithm of exp(1000) is 1000 by tosa, and that of exp(4i) is 4i by complex, after --canonicalize.
#
# In floats exp(1000) is infinite, and so is its logarithm; and complex.log is a logarithm between -πi and πi, -2.28i here. One would expect a folding that
# changes results to wait for a flag of fast math, as it does for log(exp(x)) of the dialect math, which stays. Seen: tosa.log of tosa.exp and complex.log of
# complex.exp are their argument, and so are tosa.exp of tosa.log, for which a negative number was NaN, and complex.exp of complex.log.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func @tosa(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %e = tosa.exp %x : (tensor<2xf32>) -> tensor<2xf32>
  %le = tosa.log %e : (tensor<2xf32>) -> tensor<2xf32>
  %l = tosa.log %x : (tensor<2xf32>) -> tensor<2xf32>
  %el = tosa.exp %l : (tensor<2xf32>) -> tensor<2xf32>
  return %le, %el : tensor<2xf32>, tensor<2xf32>
}
func.func @complex(%x: complex<f32>) -> (complex<f32>, complex<f32>) {
  %e = complex.exp %x : complex<f32>
  %le = complex.log %e : complex<f32>
  %l = complex.log %x : complex<f32>
  %el = complex.exp %l : complex<f32>
  return %le, %el : complex<f32>, complex<f32>
}
func.func @math(%x: f32) -> f32 {
  %e = math.exp %x : f32
  %le = math.log %e : f32
  return %le : f32
}
PROGRAM
"$bin/mlir-opt" in.mlir --canonicalize | grep -E 'return|exp|log' | tee out
diff out - <<'OUT'
    return %arg0, %arg0 : tensor<2xf32>, tensor<2xf32>
    return %arg0, %arg0 : complex<f32>, complex<f32>
    %0 = math.exp %arg0 : f32
    %1 = math.log %0 : f32
    return %1 : f32
OUT
echo 'as found: in two dialects of three a logarithm undoes an exponential'
