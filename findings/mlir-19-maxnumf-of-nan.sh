#!/usr/bin/env bash
# mlir-opt of LLVM 19: arith.maxnumf of NaN and 1 is 1 when it is executed, and NaN when it is folded; arith.minnumf is 1 in both.
#
# maxnumf and minnumf differ from maximumf and minimumf in that they pass over NaN. One would expect --canonicalize to compute what the program does. Seen: for two
# constants maxnumf hands NaN on, and minnumf doesn't. maxnumf with -inf is folded to its other operand, too, which may be NaN.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func private @printF32(f32)
func.func private @printComma()
func.func @both(%a: f32, %b: f32) {
  %x = arith.maxnumf %a, %b : f32
  call @printF32(%x) : (f32) -> ()
  call @printComma() : () -> ()
  %y = arith.minnumf %a, %b : f32
  call @printF32(%y) : (f32) -> ()
  call @printComma() : () -> ()
  return
}
func.func @main() {
  %nan = arith.constant 0x7FC00000 : f32
  %one = arith.constant 1.0 : f32
  call @both(%nan, %one) : (f32, f32) -> ()
  call @both(%one, %nan) : (f32, f32) -> ()
  return
}
PROGRAM
echo "executed: $(run)" | tee out
echo "folded: $(run --inline --canonicalize)" | tee -a out
diff out - <<'OUT'
executed: 1, 1, 1, 1, 
folded: nan, 1, nan, 1, 
OUT
echo 'as found: the larger of NaN and 1 is both'
