#!/usr/bin/env bash
# mlir-opt of LLVM 19: math.roundeven of 0.49999997, expanded by --test-expand-math, is 1.
#
# The pass runs the patterns that projects use where their target has no such functions. What is less than a half by one bit becomes 1 when a half is added in
# single precision, for math.round as well as for math.roundeven. The columns are the numbers, the C library and the patterns.
# Seen in mlir-19-tools and libmlir-19 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
memref.global "private" constant @list : memref<4xf32> = dense<[0x3EFFFFFF, 0xBEFFFFFF, 0.5, 2.5]>
func.func private @printF32(f32)
func.func private @printNewline()
func.func @main() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 4 : index
  %list = memref.get_global @list : memref<4xf32>
  scf.for %i = %zero to %end step %one {
    %x = memref.load %list[%i] : memref<4xf32>
    %y = math.roundeven %x : f32
    func.call @printF32(%y) : (f32) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}
PROGRAM
paste -d' ' <(printf '%s\n' 0.49999997 -0.49999997 0.5 2.5) <(run) <(run --test-expand-math) | tee out
diff out - <<'OUT'
0.49999997 0 1
-0.49999997 -0 -1
0.5 0 0
2.5 2 2
OUT
echo 'as found: 0.49999997 is rounded to 1'
