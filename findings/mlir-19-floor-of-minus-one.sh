#!/usr/bin/env bash
# mlir-opt of LLVM 19: math.floor of -1, expanded by --test-expand-math, is -2.
#
# The pass runs the patterns that projects use where their target has no such functions. For a negative number the whole part less 1 is taken, also where the
# number is whole. The columns are the numbers, their floors by the C library, and those by the patterns. ceil asks whether there is a fraction.
# Seen in mlir-19-tools and libmlir-19 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
memref.global "private" constant @list : memref<5xf32> = dense<[-2.5, -1.0, -3.0, 1.0, 2.5]>
func.func private @printF32(f32)
func.func private @printNewline()
func.func @main() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 5 : index
  %list = memref.get_global @list : memref<5xf32>
  scf.for %i = %zero to %end step %one {
    %x = memref.load %list[%i] : memref<5xf32>
    %y = math.floor %x : f32
    func.call @printF32(%y) : (f32) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}
PROGRAM
paste -d' ' <(printf '%s\n' -2.5 -1 -3 1 2.5) <(run) <(run --test-expand-math) | tee out
diff out - <<'OUT'
-2.5 -3 -3
-1 -1 -2
-3 -3 -4
1 1 1
2.5 2 2
OUT
echo 'as found: the floor of -1 is -2'
