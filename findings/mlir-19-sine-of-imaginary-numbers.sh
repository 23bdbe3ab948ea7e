#!/usr/bin/env bash
# mlir-opt of LLVM 19: complex.sin of 0.0000000001i by --convert-complex-to-standard is 0.
#
# The sine of an imaginary number is sinh of it times i. The pass computes half the difference of two exponentials, which for small numbers are both 1;
# complex.tan loses them the same way. The columns are the imaginary part, that of complex.sin, and math.sinh by the C library.
# Seen in mlir-19-tools and libmlir-19 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func private @printF32(f32)
func.func private @printNewline()
memref.global "private" constant @im : memref<4xf32> = dense<[1.0, 0.001, 1.0e-7, 1.0e-10]>
func.func @main() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 4 : index
  %null = arith.constant 0.0 : f32
  %im = memref.get_global @im : memref<4xf32>
  scf.for %i = %zero to %end step %one {
    %b = memref.load %im[%i] : memref<4xf32>
    %z = complex.create %null, %b : complex<f32>
    %sin = complex.sin %z : complex<f32>
    %s = complex.im %sin : complex<f32>
    func.call @printF32(%s) : (f32) -> ()
    func.call @printNewline() : () -> ()
    %sinh = math.sinh %b : f32
    func.call @printF32(%sinh) : (f32) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}
PROGRAM
run --convert-math-to-libm --convert-complex-to-standard | paste -d' ' - - | paste -d' ' <(printf '%s\n' 1 0.001 1e-7 1e-10) - | tee out
diff out - <<'OUT'
1 1.1752 1.1752
0.001 0.00100002 0.001
1e-7 1.19209e-07 1e-07
1e-10 0 1e-10
OUT
echo 'as found: the sine of a small number is 0'
