#!/usr/bin/env bash
# mlir-opt of LLVM 19: --convert-math-to-libm fails on a whole function for one operation that libm has no name for.
#
# math.rsqrt has no function in the C library. The pass neither leaves it for a later pass nor writes 1/sqrt: it ends with an error, and with math.exp beside
# it nothing is converted. Conversions to LLVM's intrinsics that run before don't have the problem.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func @f(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  %1 = math.rsqrt %0 : f32
  return %1 : f32
}
PROGRAM
if "$bin/mlir-opt" in.mlir --convert-math-to-libm >out 2>err; then
	echo 'it is converted: that has changed'
	exit 1
fi
grep "failed to legalize operation 'math.rsqrt' that was explicitly marked illegal" err
"$bin/mlir-opt" in.mlir --convert-math-to-llvm | grep 'llvm.intr.sqrt\|llvm.fdiv'
echo 'as found: there is no program with expf and a rsqrt that is left'
