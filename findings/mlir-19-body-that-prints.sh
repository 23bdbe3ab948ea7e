#!/usr/bin/env bash
# mlir-opt of LLVM 19: linalg.generic on tensors whose body prints is erased where its result has no use.
#
# The body of linalg.generic may hold any operation. Printing is an effect, so a loop with it stays, and so does vector.print alone. Whether
# linalg.generic on tensors has effects is not asked of its body: --canonicalize erases it, with all that it would have printed.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
#id = affine_map<(i) -> (i)>
func.func @f(%t: tensor<2xf32>) {
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%t : tensor<2xf32>) {
  ^bb0(%x: f32):
    vector.print %x : f32
    linalg.yield %x : f32
  } -> tensor<2xf32>
  return
}
PROGRAM
"$bin/mlir-opt" in.mlir --canonicalize | tee out
if grep -q vector.print out; then
	echo 'it prints: that has changed'
	exit 1
fi
grep -q return out
echo 'as found: nothing is printed any more'
