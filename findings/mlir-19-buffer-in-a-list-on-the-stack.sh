#!/usr/bin/env bash
# mlir-opt of LLVM 19: a buffer whose reference is put into a list of the caller is moved to the stack, or freed.
#
# The function allocates a buffer, and stores it in a memref of memrefs that it was given. One would expect both passes to take that for an escape, as they do
# where the buffer is returned: --promote-buffers-to-stack and --buffer-deallocation. Seen: the first makes an alloca of it, whose memory is gone when the
# function returns, and the second frees it at the end. The list holds a buffer that there isn't.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func @listed(%list: memref<1xmemref<4xi32>>) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xi32>
  memref.store %m, %list[%c0] : memref<1xmemref<4xi32>>
  return
}
func.func @returned(%c: i1, %other: memref<4xi32>) -> memref<4xi32> {
  %m = memref.alloc() : memref<4xi32>
  %r = arith.select %c, %m, %other : memref<4xi32>
  return %r : memref<4xi32>
}
PROGRAM
for pass in promote-buffers-to-stack buffer-deallocation; do
	echo "$pass: $("$bin/mlir-opt" in.mlir --$pass | grep -oE '@[a-z]+|memref\.[a-z]*alloca?\b' | paste -sd' ')"
done | tee out
diff out - <<'OUT'
promote-buffers-to-stack: @listed memref.alloca @returned memref.alloc
buffer-deallocation: @listed memref.alloc memref.dealloc @returned memref.alloc
OUT
echo 'as found: what is in a list is not kept'
