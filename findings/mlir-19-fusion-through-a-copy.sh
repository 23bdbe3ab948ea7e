#!/usr/bin/env bash
# mlir-opt of LLVM 19: of a copy, and of a loop that writes the copy back in reverse order, --affine-loop-fusion makes a loop that overwrites what it still needs.
#
# 0 to 7 are copied to another buffer, and from there back in reverse order: 7 to 0. One would expect the two loops to stay apart, as the second writes what the first
# reads: the copy is there for that. Seen: the copy moves into the second loop, element by element, so that the second half of the elements is read after it was
# written, and is 4, 5, 6, 7 as before.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func private @printI64(i64)
func.func private @printComma()
func.func @reverse(%m: memref<8xi64>, %copy: memref<8xi64>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %m[%i] : memref<8xi64>
    affine.store %x, %copy[%i] : memref<8xi64>
  }
  affine.for %i = 0 to 8 {
    %x = affine.load %copy[7 - %i] : memref<8xi64>
    affine.store %x, %m[%i] : memref<8xi64>
  }
  return
}
func.func @main() {
  %m = memref.alloc() : memref<8xi64>
  %copy = memref.alloc() : memref<8xi64>
  affine.for %i = 0 to 8 {
    %n = arith.index_cast %i : index to i64
    affine.store %n, %m[%i] : memref<8xi64>
  }
  call @reverse(%m, %copy) : (memref<8xi64>, memref<8xi64>) -> ()
  affine.for %i = 0 to 8 {
    %x = affine.load %m[%i] : memref<8xi64>
    func.call @printI64(%x) : (i64) -> ()
    func.call @printComma() : () -> ()
  }
  return
}
PROGRAM
echo "as written: $(run --lower-affine)" | tee out
echo "with the pass: $(run --affine-loop-fusion --lower-affine)" | tee -a out
diff out - <<'OUT'
as written: 7, 6, 5, 4, 3, 2, 1, 0, 
with the pass: 7, 6, 5, 4, 4, 5, 6, 7, 
OUT
echo 'as found: the copy is made too late'
