#!/usr/bin/env bash
# mlir-opt of LLVM 19: tosa.cast makes of NaN 0, 32767, 2147483647 or -2147483648, by the two types.
#
# Numbers beyond an integer's range become its limits. For NaN one would expect one answer, 0 or a limit, for all types. Seen: 0 in 8 bits from f32, the largest
# number in 32 bits from f32, the largest in 16 bits from f16, and the least in 32 bits from f16. There are three ways in which the cast is written: by minima and
# maxima of floats, by a comparison with the upper limit, which NaN fails as if it was above, and by the processor's conversion.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian, by --tosa-to-linalg, on x86-64.
source "$(dirname "$0")/mlir-19.bash"
cast() {
	cat >program.mlir <<PROGRAM
func.func private @printI64(i64)
func.func @f(%x: tensor<1x$1>) -> tensor<1x$2> {
  %y = tosa.cast %x : (tensor<1x$1>) -> tensor<1x$2>
  return %y : tensor<1x$2>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %x = arith.constant dense<$3> : tensor<1x$1>
  %r = call @f(%x) : (tensor<1x$1>) -> tensor<1x$2>
  %n = tensor.extract %r[%c0] : tensor<1x$2>
  %w = arith.extsi %n : $2 to i64
  func.call @printI64(%w) : (i64) -> ()
  return
}
PROGRAM
	"$bin/mlir-opt" program.mlir -pass-pipeline='builtin.module(func.func(tosa-to-linalg),one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},func.func(convert-linalg-to-loops))' >in.mlir
	echo "$1 to $2: $(run)"
}
{
	cast f32 i8 0x7FC00000
	cast f32 i16 0x7FC00000
	cast f32 i32 0x7FC00000
	cast f16 i8 0x7E00
	cast f16 i16 0x7E00
	cast f16 i32 0x7E00
} | tee out
diff out - <<'OUT'
f32 to i8: 0
f32 to i16: 0
f32 to i32: 2147483647
f16 to i8: 0
f16 to i16: 32767
f16 to i32: -2147483648
OUT
echo 'as found: NaN is four numbers'
