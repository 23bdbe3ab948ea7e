#!/usr/bin/env bash
# mlir-opt of LLVM 19: a pad by 1 in front and by -1 behind is taken for its source.
#
# tensor.pad allows negative padding: low[1] high[-1] shifts three elements by one, and the type stays tensor<3xi32>. --canonicalize compares
# types, and drops the shift. With low[1] high[1] the types differ, and it stays.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func @f(%t: tensor<3xi32>) -> tensor<3xi32> {
  %zero = arith.constant 0 : i32
  %p = tensor.pad %t low[1] high[-1] {
  ^bb0(%i: index):
    tensor.yield %zero : i32
  } : tensor<3xi32> to tensor<3xi32>
  return %p : tensor<3xi32>
}
PROGRAM
"$bin/mlir-opt" in.mlir --canonicalize | tee out
if grep -q tensor.pad out; then
	echo 'the pad is there: that has changed'
	exit 1
fi
grep -q 'return %arg0' out
echo 'as found: [1, 2, 3] stays [1, 2, 3] instead of [0, 1, 2]'
