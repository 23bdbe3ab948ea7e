#!/usr/bin/env bash
# mlir-opt of LLVM 19: a collapse and an expansion to given sizes become another collapse, whatever the sizes are.
#
# tensor<?x?x?xf32> becomes a list, and the list a table of %a rows and %b columns. --canonicalize makes one collapse of the two, of the
# last two dimensions of three, and drops %a and %b: a tensor of 2x3x4 that was to be seen as 6x4 is then 2x12.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func @f(%t: tensor<?x?x?xf32>, %a: index, %b: index) -> tensor<?x?xf32> {
  %list = tensor.collapse_shape %t [[0, 1, 2]] : tensor<?x?x?xf32> into tensor<?xf32>
  %table = tensor.expand_shape %list [[0, 1]] output_shape [%a, %b] : tensor<?xf32> into tensor<?x?xf32>
  return %table : tensor<?x?xf32>
}
PROGRAM
"$bin/mlir-opt" in.mlir --canonicalize | tee out
if grep -q expand_shape out; then
	echo 'the expansion is there: that has changed'
	exit 1
fi
grep -q 'collapse_shape %arg0' out
echo 'as found: %a and %b have no use any more'
