#!/usr/bin/env bash
# mlir-opt of LLVM 19: a transposition that changes no order is erased on buffers, though it copies.
#
# linalg.transpose with permutation = [0, 1] writes its input into its output, as it is. On tensors its result may be replaced by the input.
# --canonicalize does the same on buffers, where nobody uses a result: the copy is gone, and the output keeps what it had.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func @f(%a: memref<2x2xf32>, %b: memref<2x2xf32>) {
  linalg.transpose ins(%a : memref<2x2xf32>) outs(%b : memref<2x2xf32>) permutation = [0, 1]
  return
}
PROGRAM
"$bin/mlir-opt" in.mlir --canonicalize | tee out
if grep -q linalg out; then
	echo 'the copy is there: that has changed'
	exit 1
fi
grep -q return out
echo 'as found: nothing is written to %b'
