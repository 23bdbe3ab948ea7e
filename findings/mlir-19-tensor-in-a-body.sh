#!/usr/bin/env bash
# mlir-opt of LLVM 19: what the body of linalg.generic makes of a tensor from outside is made in that tensor's buffer, so that the next iteration gets what the one before left.
#
# The body of linalg.generic is executed for each element, and may compute with whole tensors. One would expect --one-shot-bufferize to take it for a loop, as it does scf.for, and
# to give each iteration a copy of %t to insert into: %s is 1 each time. Seen: all iterations insert into the one buffer, so that they count: 1, 2, 3, 4. With the same in scf.for,
# it is 1 each time.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4xi32>
  %t = linalg.fill ins(%zero : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %o = tensor.empty() : tensor<4xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%o : tensor<4xi32>) {
  ^bb0(%x: i32):
    %before = tensor.extract %t[%c0] : tensor<4xi32>
    %s = arith.addi %before, %one : i32
    %u = tensor.insert %s into %t[%c0] : tensor<4xi32>
    %y = tensor.extract %u[%c0] : tensor<4xi32>
    linalg.yield %y : i32
  } -> tensor<4xi32>
  scf.for %i = %c0 to %c4 step %c1 {
    %y = tensor.extract %r[%i] : tensor<4xi32>
    vector.print %y : i32
  }
  return
}
PROGRAM
run --one-shot-bufferize=bufferize-function-boundaries --convert-linalg-to-loops --convert-vector-to-llvm | tee out
diff out - <<'OUT'
1
2
3
4
OUT
echo 'as found: iterations see what the ones before did'
