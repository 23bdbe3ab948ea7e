#!/usr/bin/env bash
# mlir-opt of LLVM 19: the absolute value of 3 + 4i in f32 by --convert-complex-to-libm is 3.
#
# The pass calls cabsf of the C library with a struct of two floats, which LLVM passes in two registers; on this machine C passes the two in one. The imaginary
# part is not seen, and of functions whose results are complex, such as complex.sin, it is lost. With f64 the two ways agree. The columns are the pass, and
# --convert-complex-to-standard, which computes it without the library.
# Seen in mlir-19-tools and libmlir-19 1:19.1.7-3~deb12u1 of Debian, on amd64.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func private @printF32(f32)
func.func private @printF64(f64)
func.func private @printNewline()
memref.global "private" constant @re : memref<2xf32> = dense<[3.0, 6.0]>
memref.global "private" constant @im : memref<2xf32> = dense<[4.0, -8.0]>
func.func @main() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 2 : index
  %re = memref.get_global @re : memref<2xf32>
  %im = memref.get_global @im : memref<2xf32>
  scf.for %i = %zero to %end step %one {
    %a = memref.load %re[%i] : memref<2xf32>
    %b = memref.load %im[%i] : memref<2xf32>
    %z = complex.create %a, %b : complex<f32>
    %abs = complex.abs %z : complex<f32>
    func.call @printF32(%abs) : (f32) -> ()
    func.call @printNewline() : () -> ()
    %c = arith.extf %a : f32 to f64
    %d = arith.extf %b : f32 to f64
    %w = complex.create %c, %d : complex<f64>
    %abs64 = complex.abs %w : complex<f64>
    func.call @printF64(%abs64) : (f64) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}
PROGRAM
paste -d' ' <(printf '%s\n' '|3+4i| f32' '|3+4i| f64' '|6-8i| f32' '|6-8i| f64') <(run --convert-complex-to-libm) <(run --convert-complex-to-standard) | tee out
diff out - <<'OUT'
|3+4i| f32 3 5
|3+4i| f64 5 5
|6-8i| f32 6 10
|6-8i| f64 10 10
OUT
echo 'as found: |3 + 4i| is 3'
