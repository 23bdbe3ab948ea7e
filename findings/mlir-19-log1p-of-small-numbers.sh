#!/usr/bin/env bash
# mlir-opt of LLVM 19: math.log1p of 0.00000001 by --convert-math-to-llvm is 0.
#
# log1p exists for numbers near 0, where log(1 + x) has no digits left; the pass writes just that, and expm1 as exp(x) - 1. The columns are the numbers, the
# pass, and --convert-math-to-libm in front of it, which calls the C library. Which of the two passes comes first decides about all digits of a softplus.
# Seen in mlir-19-tools and libmlir-19 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
memref.global "private" constant @list : memref<5xf32> = dense<[1.0, 0.001, 1.0e-07, 1.0e-08, -1.0e-10]>
func.func private @printF32(f32)
func.func private @printNewline()
func.func @main() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 5 : index
  %list = memref.get_global @list : memref<5xf32>
  scf.for %i = %zero to %end step %one {
    %x = memref.load %list[%i] : memref<5xf32>
    %y = math.log1p %x : f32
    func.call @printF32(%y) : (f32) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}
PROGRAM
paste -d' ' <(printf '%s\n' 1 0.001 1e-7 1e-8 -1e-10) <(run) <(run --convert-math-to-libm) | tee out
diff out - <<'OUT'
1 0.693147 0.693147
0.001 0.000999547 0.0009995
1e-7 1.19209e-07 1e-07
1e-8 0 1e-08
-1e-10 0 -1e-10
OUT
echo 'as found: log1p is log(1 + x)'
