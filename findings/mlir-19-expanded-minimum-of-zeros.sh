#!/usr/bin/env bash
# mlir-opt of LLVM 19: by --arith-expand the minimum of -0 and 0 is the second of them, and so is the maximum.
#
# arith.minimumf and arith.maximumf are documented as taking -0 for less than 0, and executed as they are they do. --arith-expand writes them as a comparison, a
# selection and a check for NaN, which one would expect to be the same. Seen: the comparison finds -0 and 0 equal, and the second operand is the result, so that
# minimumf of -0 and 0 is 0, and maximumf of 0 and -0 is -0.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func private @printF32(f32)
func.func private @printComma()
func.func @both(%a: f32, %b: f32) {
  %x = arith.minimumf %a, %b : f32
  call @printF32(%x) : (f32) -> ()
  call @printComma() : () -> ()
  %y = arith.maximumf %a, %b : f32
  call @printF32(%y) : (f32) -> ()
  call @printComma() : () -> ()
  return
}
func.func @main() {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant -0.0 : f32
  call @both(%minus, %zero) : (f32, f32) -> ()
  call @both(%zero, %minus) : (f32, f32) -> ()
  return
}
PROGRAM
echo "as written: $(run)" | tee out
echo "expanded: $(run --arith-expand)" | tee -a out
diff out - <<'OUT'
as written: -0, 0, -0, 0, 
expanded: 0, 0, -0, -0, 
OUT
echo 'as found: the sign of zero is that of the second operand'
