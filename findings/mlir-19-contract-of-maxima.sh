#!/usr/bin/env bash
# mlir-opt of LLVM 19: a sum that is added to a contraction by maxima becomes the value that the maxima start from.
#
# vector.contract with kind maxsi computes, for each element, the largest of its accumulator and the products. A following
# arith.addi adds something else to that. With an accumulator of zeros, --canonicalize moves the addend into the contraction, as it
# may do for sums: max(0, products) + c becomes max(c, products). For one product, 6, and c = 10, that is 10 instead of 16.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
opt=$(find root -name mlir-opt -type f | head -n 1)
lib=$(dirname "$(find root -name 'libLLVM*19*.so*' | head -n 1)")
cat >in.mlir <<'PROGRAM'
func.func @f(%a: vector<1x1xi32>, %b: vector<1x1xi32>, %c: vector<1x1xi32>) -> vector<1x1xi32> {
  %zero = arith.constant dense<0> : vector<1x1xi32>
  %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maxsi>} %a, %b, %zero : vector<1x1xi32>, vector<1x1xi32> into vector<1x1xi32>
  %s = arith.addi %r, %c : vector<1x1xi32>
  return %s : vector<1x1xi32>
}
PROGRAM
LD_LIBRARY_PATH=$lib "$opt" --canonicalize in.mlir | tee out.mlir
grep -q 'vector.contract .*kind<maxsi>.* %arg0, %arg1, %arg2 ' out.mlir
if grep -q arith.addi out.mlir; then
	echo 'the addition is there: that has changed'
	exit 1
fi
echo 'as found: the addend is what the maxima start from, and the addition is gone'
