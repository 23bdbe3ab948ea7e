#!/usr/bin/env bash
# mlir-opt of LLVM 19: a store in a loop that may have no iterations is moved in front of it, and then happens always.
#
# affine.for from 0 to %n stores 1 into an element that is the same each time. One would expect --affine-loop-invariant-code-motion to leave the store where it
# is, or to guard it: with %n = 0 nothing is to be written. Seen: it stands in front of the loop, whose body is empty then, and the element is 1 for 0 iterations.
# It goes with a load as well that is from a view of the same buffer: doubling an element three times becomes doubling it once.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func private @printI64(i64)
func.func private @printComma()
func.func @set(%m: memref<8xi64>, %n: index) {
  %one = arith.constant 1 : i64
  affine.for %i = 0 to %n {
    affine.store %one, %m[3] : memref<8xi64>
  }
  return
}
func.func @double(%m: memref<8xi64>, %n: index) {
  %view = memref.subview %m[2] [4] [1] : memref<8xi64> to memref<4xi64, strided<[1], offset: 2>>
  affine.for %i = 0 to %n {
    %x = affine.load %m[2] : memref<8xi64>
    %y = arith.addi %x, %x : i64
    affine.store %y, %view[0] : memref<4xi64, strided<[1], offset: 2>>
  }
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %seven = arith.constant 7 : i64
  %m = memref.alloc() : memref<8xi64>
  memref.store %seven, %m[%c2] : memref<8xi64>
  memref.store %seven, %m[%c3] : memref<8xi64>
  call @set(%m, %c0) : (memref<8xi64>, index) -> ()
  call @double(%m, %c3) : (memref<8xi64>, index) -> ()
  %x = memref.load %m[%c3] : memref<8xi64>
  %y = memref.load %m[%c2] : memref<8xi64>
  call @printI64(%x) : (i64) -> ()
  call @printComma() : () -> ()
  call @printI64(%y) : (i64) -> ()
  call @printComma() : () -> ()
  memref.dealloc %m : memref<8xi64>
  return
}
PROGRAM
echo "as written: $(run --expand-strided-metadata --lower-affine)" | tee out
echo "with the pass: $(run --affine-loop-invariant-code-motion --expand-strided-metadata --lower-affine)" | tee -a out
diff out - <<'OUT'
as written: 7, 56, 
with the pass: 1, 14, 
OUT
echo 'as found: a loop of no iterations writes'
