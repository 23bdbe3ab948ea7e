#!/usr/bin/env bash
# mlir-opt of LLVM 19: math.atan2 of 0 and 0 by --test-math-polynomial-approximation is NaN.
#
# The pass runs the patterns that projects use in place of the C library. The angle of two zeros is 0, pi or their negatives in the C library and in IEEE 754;
# by the patterns it is NaN, and below the axis on the left, -0 and -1, it has the sign of that above. The columns are the numbers, the C library and the
# patterns.
# Seen in mlir-19-tools and libmlir-19 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
utils=$(find root -name 'libmlir_c_runner_utils.so.*' | head -n 1)
cat >in.mlir <<'PROGRAM'
memref.global "private" constant @first : memref<5xf32> = dense<[0.0, 0.0, 0.0, -0.0, 1.0]>
memref.global "private" constant @second : memref<5xf32> = dense<[0.0, -0.0, -1.0, -1.0, 0.0]>
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
    %z = math.atan2 %x, %y : f32
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
paste -d' ' <(printf '%s\n' '0 0' '0 -0' '0 -1' '-0 -1' '1 0') <(run) <(run --test-math-polynomial-approximation) | tee out
diff out - <<'OUT'
0 0 0 nan
0 -0 3.14159 nan
0 -1 3.14159 3.14159
-0 -1 -3.14159 3.14159
1 0 1.5708 1.5708
OUT
echo 'as found: zero has no angle'
