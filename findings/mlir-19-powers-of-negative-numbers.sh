#!/usr/bin/env bash
# mlir-opt of LLVM 19: math.powf of -8 and a third, expanded by --test-expand-math, is -2, and 0 to the power of 0 is NaN.
#
# The pass runs the patterns that projects use where their target has no such functions. The power of a negative number is taken of its square, and the sign
# set by the remainder of the exponent, also where that is no whole number and the power NaN: -1 to the 2.5 is -1. 0 to the power of 0, which is 1 for the C
# library, is NaN, by 0 times the logarithm of 0. The columns are the numbers, the C library and the patterns.
# Seen in mlir-19-tools and libmlir-19 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
utils=$(find root -name 'libmlir_c_runner_utils.so.*' | head -n 1)
cat >in.mlir <<'PROGRAM'
memref.global "private" constant @first : memref<5xf32> = dense<[-2.0, -8.0, -1.0, 0.0, 0.0]>
memref.global "private" constant @second : memref<5xf32> = dense<[3.0, 0.33333334, 2.5, 0.0, 2.0]>
func.func private @printF32(f32)
func.func private @printNewline()
func.func @main() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 5 : index
  %first = memref.get_global @first : memref<5xf32>
  %second = memref.get_global @second : memref<5xf32>
  scf.for %i = %zero to %end step %one {
    %x = memref.load %first[%i] : memref<5xf32>
    %y = memref.load %second[%i] : memref<5xf32>
    %z = math.powf %x, %y : f32
    func.call @printF32(%z) : (f32) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}
PROGRAM
run() {
	"$bin/mlir-opt" in.mlir "$@" --convert-scf-to-cf --convert-math-to-llvm --convert-math-to-libm --finalize-memref-to-llvm --convert-arith-to-llvm --convert-func-to-llvm \
		--convert-cf-to-llvm --reconcile-unrealized-casts | "$bin/mlir-cpu-runner" -e main -entry-point-result=void -O0 -shared-libs="$utils" | sed "s/-nan/nan/"
}
paste -d' ' <(printf '%s\n' '-2 ^ 3' '-8 ^ 1/3' '-1 ^ 2.5' '0 ^ 0' '0 ^ 2') <(run) <(run --test-expand-math) | tee out
diff out - <<'OUT'
-2 ^ 3 -8 -8
-8 ^ 1/3 nan -2
-1 ^ 2.5 nan -1
0 ^ 0 1 nan
0 ^ 2 0 0
OUT
echo 'as found: a negative number has a root'
