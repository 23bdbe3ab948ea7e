#!/usr/bin/env bash
# mlir-opt of LLVM 19: --affine-loop-unroll-jam changes the order of iterations that depend on each other, and with it the sums.
#
# The inner loop adds to each element its left neighbour, and the outer one does so twice, one place further on. Two iterations of the outer loop, side by side in the
# inner one, need elements that aren't there yet. One would expect the pass to compare dependences first, as --affine-loop-fusion and --affine-parallelize do, and to
# leave the nest. Seen: it is unrolled, and two elements have other sums; --affine-loop-unroll, which keeps the order, is right.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func private @printI64(i64)
func.func private @printComma()
func.func @sums(%m: memref<8xi64>) {
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 {
      %x = affine.load %m[%i + %j] : memref<8xi64>
      %y = affine.load %m[%i + %j + 1] : memref<8xi64>
      %z = arith.addi %x, %y : i64
      affine.store %z, %m[%i + %j + 1] : memref<8xi64>
    }
  }
  return
}
func.func @main() {
  %m = memref.alloc() : memref<8xi64>
  affine.for %i = 0 to 8 {
    %n = arith.index_cast %i : index to i64
    affine.store %n, %m[%i] : memref<8xi64>
  }
  call @sums(%m) : (memref<8xi64>) -> ()
  affine.for %i = 0 to 8 {
    %x = affine.load %m[%i] : memref<8xi64>
    func.call @printI64(%x) : (i64) -> ()
    func.call @printComma() : () -> ()
  }
  return
}
PROGRAM
{
	echo "as written: $(run --lower-affine)"
	echo "unrolled: $(run --affine-loop-unroll=unroll-factor=2 --lower-affine)"
	echo "unrolled and jammed: $(run --affine-loop-unroll-jam=unroll-jam-factor=2 --lower-affine)"
} | tee out
diff out - <<'OUT'
as written: 0, 1, 4, 10, 14, 5, 6, 7, 
unrolled: 0, 1, 4, 10, 14, 5, 6, 7, 
unrolled and jammed: 0, 1, 4, 11, 15, 5, 6, 7, 
OUT
echo 'as found: the sums are others'
