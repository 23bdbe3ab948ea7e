#!/usr/bin/env bash
# mlir-opt of LLVM 19: a linalg.generic that writes every second element of a tensor makes a new buffer for the result, in which the others were never written.
#
# The map of the result is (i) -> (2 * i), and the body doesn't use the elements of the destination. One would expect those that the map doesn't reach to stay what they were: 7, as
# the destination is filled with 7s. Seen: --one-shot-bufferize takes the destination for one that isn't read, since the body doesn't, and allocates a buffer without copying
# anything into it, as soon as the destination is used later; what the program prints for the other elements is whatever the memory holds. This script looks at the text.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func @main(%a: tensor<3xi32>, %x: i32, %i: index) -> (i32, i32) {
  %e = tensor.empty() : tensor<5xi32>
  %t = linalg.fill ins(%x : i32) outs(%e : tensor<5xi32>) -> tensor<5xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (2 * i)>], iterator_types = ["parallel"]} ins(%a : tensor<3xi32>) outs(%t : tensor<5xi32>) {
  ^bb0(%p: i32, %q: i32):
    linalg.yield %p : i32
  } -> tensor<5xi32>
  %u = tensor.extract %r[%i] : tensor<5xi32>
  %v = tensor.extract %t[%i] : tensor<5xi32>
  return %u, %v : i32, i32
}
PROGRAM
"$bin/mlir-opt" in.mlir --one-shot-bufferize='bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map' | grep -c 'memref.copy' | tee out || true
"$bin/mlir-opt" in.mlir --one-shot-bufferize='bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map' | grep -c 'memref.alloc()' | tee -a out
diff out - <<'OUT'
0
2
OUT
echo 'as found: two buffers, and nothing is copied from one to the other'
