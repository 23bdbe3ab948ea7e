#!/usr/bin/env bash
# mlir-opt of LLVM 19: a loop that reads what its last iteration wrote becomes parallel, if it writes through a view.
#
# Each iteration copies an element to the place behind it, so that the first one is spread over all. Written on the buffer itself, --affine-parallelize finds
# that the iterations depend on each other, and leaves the loop. One would expect the same where the store is into memref.subview of that buffer, or at least
# caution, as --affine-scalrep and --affine-loop-fusion have it for the same view. Seen: the loop is affine.parallel.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func @buffer(%m: memref<8xf32>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %m[%i] : memref<8xf32>
    affine.store %x, %m[%i + 1] : memref<8xf32>
  }
  return
}
func.func @view(%m: memref<8xf32>) {
  %v = memref.subview %m[1] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 1>>
  affine.for %i = 0 to 4 {
    %x = affine.load %m[%i] : memref<8xf32>
    affine.store %x, %v[%i] : memref<4xf32, strided<[1], offset: 1>>
  }
  return
}
PROGRAM
"$bin/mlir-opt" in.mlir --affine-parallelize | grep -oE 'func.func @[a-z]+|affine\.(for|parallel)' | tee out
diff out - <<'OUT'
func.func @buffer
affine.for
func.func @view
affine.parallel
OUT
echo 'as found: by a view the loop is parallel'
