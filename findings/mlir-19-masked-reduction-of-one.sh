#!/usr/bin/env bash
# mlir-opt of LLVM 19: a masked reduction over one element gives the element where the mask is false, and not the accumulator.
#
# vector.mask around vector.multi_reduction leaves out elements: what is masked out adds nothing, so the result is the accumulator.
# --canonicalize turns a reduction over a dimension of size 1 into an addition and a select by the mask, whose other side is the element.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func @f(%m: vector<2x1xi1>, %v: vector<2x1xf32>, %acc: vector<2xf32>) -> vector<2xf32> {
  %r = vector.mask %m { vector.multi_reduction <add>, %v, %acc [1] : vector<2x1xf32> to vector<2xf32> } : vector<2x1xi1> -> vector<2xf32>
  return %r : vector<2xf32>
}
PROGRAM
"$bin/mlir-opt" in.mlir --canonicalize | tee out
sum=$(sed -n 's/ *\(%[0-9a-z]*\) = arith.addf .*/\1/p' out)
element=$(sed -n 's/ *\(%[0-9a-z]*\) = vector.shape_cast %arg1 .*/\1/p' out)
grep -q "arith.select %[0-9a-z]*, $sum, $element " out
echo 'as found: select has the element on its other side'
