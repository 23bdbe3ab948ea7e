#!/usr/bin/env bash
# mlir-opt of LLVM 19: tosa.cast of 2.5 to an integer of 64 bits is 9223372036854775807, and so is that of -2.5.
#
# Integers of 8 and of 32 bits come out rounded, and cut off at their limits. One would expect the same of 64 bits, at most with something odd near the limits.
# Seen: for an argument of f32 or f64 the result is one of the limits, whatever the number is. From f16, whose numbers all fit, it is right.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian, by --tosa-to-linalg.
source "$(dirname "$0")/mlir-19.bash"
cast() {
	cat >program.mlir <<PROGRAM
func.func private @printI64(i64)
func.func private @printComma()
func.func @f(%x: tensor<4x$1>) -> tensor<4x$2> {
  %y = tosa.cast %x : (tensor<4x$1>) -> tensor<4x$2>
  return %y : tensor<4x$2>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %x = arith.constant dense<[2.5, -2.5, 100.0, -3.0e4]> : tensor<4x$1>
  %r = call @f(%x) : (tensor<4x$1>) -> tensor<4x$2>
  scf.for %i = %c0 to %c4 step %c1 {
    %n = tensor.extract %r[%i] : tensor<4x$2>
    %w = $3 %n : $2 to i64
    func.call @printI64(%w) : (i64) -> ()
    func.call @printComma() : () -> ()
  }
  return
}
PROGRAM
	"$bin/mlir-opt" program.mlir -pass-pipeline='builtin.module(func.func(tosa-to-linalg),one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},func.func(convert-linalg-to-loops))' >in.mlir
	echo "$1 to $2: $(run)"
}
{
	cast f32 i32 arith.extsi
	cast f32 i64 arith.bitcast
	cast f64 i64 arith.bitcast
	cast f16 i64 arith.bitcast
} | tee out
diff out - <<'OUT'
f32 to i32: 2, -2, 100, -30000, 
f32 to i64: 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, 
f64 to i64: 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, 
f16 to i64: 2, -2, 100, -30000, 
OUT
echo 'as found: 2.5 is the largest number'
