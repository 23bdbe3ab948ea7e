#!/usr/bin/env bash
# mlir-opt of LLVM 19: a sum under a mask is the sum of all elements, after --cse, if that is computed as well.
#
# vector.mask around an operation says which lanes it works on; the operation inside looks as if there were no mask. One would expect --cse to know that the two sums here are
# different ones. Seen: it takes the one without the mask for both, and puts a vector.yield of it in place of the masked operation. 13 = 10 + 3 becomes 20.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func @main() {
  %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
  %m = arith.constant dense<[true, true, false, false]> : vector<4xi1>
  %all = vector.reduction <add>, %v : vector<4xf32> into f32
  %two = vector.mask %m { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  %sum = arith.addf %all, %two : f32
  vector.print %sum : f32
  return
}
PROGRAM
run --lower-vector-mask --convert-vector-to-llvm | tee out
run --cse --lower-vector-mask --convert-vector-to-llvm | tee -a out
diff out - <<'OUT'
13
20
OUT
echo 'as found: the mask is lost'
