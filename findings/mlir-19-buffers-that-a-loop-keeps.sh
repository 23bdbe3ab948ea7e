#!/usr/bin/env bash
# mlir-opt of LLVM 19: four buffers that a loop allocates and keeps in a list become one, by --buffer-loop-hoisting.
#
# The pass moves an allocation out of a loop where the buffer isn't needed after an iteration. One would expect that a buffer whose reference is stored, in a
# memref of memrefs, stays: the pass does see buffers that are handed on by scf.yield. Seen: it is moved, the list holds the same buffer four times, and all of its
# entries have what the last iteration wrote.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func private @printI64(i64)
func.func private @printComma()
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %list = memref.alloc() : memref<4xmemref<1xi64>>
  scf.for %i = %c0 to %c4 step %c1 {
    %m = memref.alloc() : memref<1xi64>
    %n = arith.index_cast %i : index to i64
    memref.store %n, %m[%c0] : memref<1xi64>
    memref.store %m, %list[%i] : memref<4xmemref<1xi64>>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %m = memref.load %list[%i] : memref<4xmemref<1xi64>>
    %n = memref.load %m[%c0] : memref<1xi64>
    func.call @printI64(%n) : (i64) -> ()
    func.call @printComma() : () -> ()
  }
  return
}
PROGRAM
echo "as written: $(run)" | tee out
echo "with the pass: $(run --buffer-loop-hoisting)" | tee -a out
diff out - <<'OUT'
as written: 0, 1, 2, 3, 
with the pass: 3, 3, 3, 3, 
OUT
echo 'as found: four buffers are one'
