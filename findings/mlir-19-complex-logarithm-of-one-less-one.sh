#!/usr/bin/env bash
# mlir-opt of LLVM 19: complex.log1p of -1, the logarithm of 0, is 0, and complex.log of 0 is minus infinity.
#
# log1p gives the logarithm of 1 + x with the digits that 1 + x hasn't, so one would expect -inf at -1, where the logarithm of 0 is. Seen: the modulus is computed from the
# larger part of 1 + x and a quotient of both, which is 0 / 0 at -1; in place of what isn't a number the smaller part is taken, 0. At -1 + 0.00001i, where 1 + x has all
# digits, log1p has four: -11.5116, and the logarithm of the sum -11.5129. The columns are the real parts of both.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian, by --convert-complex-to-standard.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func private @printF32(f32)
func.func private @printComma()
func.func private @printNewline()
func.func @show(%x: complex<f32>) {
  %l = complex.log1p %x : complex<f32>
  %re = complex.re %l : complex<f32>
  call @printF32(%re) : (f32) -> ()
  call @printComma() : () -> ()
  %one = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  %y = complex.add %x, %one : complex<f32>
  %m = complex.log %y : complex<f32>
  %rm = complex.re %m : complex<f32>
  call @printF32(%rm) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}
func.func @main() {
  %a = complex.constant [-0.5 : f32, 0.0 : f32] : complex<f32>
  %b = complex.constant [-0.9999 : f32, 0.0 : f32] : complex<f32>
  %c = complex.constant [-1.0 : f32, 0.0 : f32] : complex<f32>
  %d = complex.constant [-1.0 : f32, 1.0e-5 : f32] : complex<f32>
  call @show(%a) : (complex<f32>) -> ()
  call @show(%b) : (complex<f32>) -> ()
  call @show(%c) : (complex<f32>) -> ()
  call @show(%d) : (complex<f32>) -> ()
  return
}
PROGRAM
run --convert-complex-to-standard | tee out
diff out - <<'OUT'
-0.693147, -0.693147
-9.21017, -9.21017
0, -inf
-11.5116, -11.5129
OUT
echo 'as found: the logarithm of 0 is 0'
