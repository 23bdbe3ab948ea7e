#!/usr/bin/env bash
# mlir-opt of LLVM 19: the buffer that bufferization.to_memref read_only gives out is overwritten before it is read.
#
# read_only says that nobody writes through the buffer; the tensor that it is of is used once more afterwards. One would expect the buffer to hold the tensor's elements for as long
# as it is used: 1. Seen: --one-shot-bufferize takes to_memref for the end of the read, and inserts the 2 into the same buffer, since the tensor isn't read after that. The copy that
# follows in the text gets 2.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %d = memref.alloc() : memref<4xi32>
  %e = tensor.empty() : tensor<4xi32>
  %t = linalg.fill ins(%one : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %m = bufferization.to_memref %t read_only : memref<4xi32>
  %u = tensor.insert %two into %t[%c0] : tensor<4xi32>
  memref.copy %m, %d : memref<4xi32> to memref<4xi32>
  %x = memref.load %d[%c0] : memref<4xi32>
  vector.print %x : i32
  %y = tensor.extract %u[%c0] : tensor<4xi32>
  vector.print %y : i32
  return
}
PROGRAM
run --one-shot-bufferize=bufferize-function-boundaries --convert-linalg-to-loops --convert-vector-to-llvm | tee out
diff out - <<'OUT'
2
2
OUT
echo 'as found: the copy has what was inserted later'
