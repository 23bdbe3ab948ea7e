#!/usr/bin/env bash
# mlir-opt of LLVM 19: memref.atomic_rmw maximumf of NaN and 1 is 1, and arith.maximumf of them NaN.
#
# The kinds of atomic_rmw have the names of arith's operations, and maximumf there hands NaN on and takes 0 for more than -0. One would expect the same in place. Seen:
# a NaN in memory or as the operand is passed over, as by maxnumf, and of -0 in memory and 0 the result is -0; so for minimumf. A reduction over threads by it loses
# the NaN that one in a loop has.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian, by --finalize-memref-to-llvm.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func private @printF32(f32)
func.func private @printComma()
func.func private @printNewline()
func.func @both(%a: f32, %b: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<1xf32>
  memref.store %a, %m[%c0] : memref<1xf32>
  %old = memref.atomic_rmw maximumf %b, %m[%c0] : (f32, memref<1xf32>) -> f32
  %x = memref.load %m[%c0] : memref<1xf32>
  call @printF32(%x) : (f32) -> ()
  call @printComma() : () -> ()
  %y = arith.maximumf %a, %b : f32
  call @printF32(%y) : (f32) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %m : memref<1xf32>
  return
}
func.func @main() {
  %nan = arith.constant 0x7FC00000 : f32
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant -0.0 : f32
  call @both(%nan, %one) : (f32, f32) -> ()
  call @both(%one, %nan) : (f32, f32) -> ()
  call @both(%minus, %zero) : (f32, f32) -> ()
  return
}
PROGRAM
run | tee out
diff out - <<'OUT'
1, nan
1, nan
-0, 0
OUT
echo 'as found: in memory NaN is lost'
