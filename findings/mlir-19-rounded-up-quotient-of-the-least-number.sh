#!/usr/bin/env bash
# mlir-opt of LLVM 19: the least integer of 8 bits by 2, rounded up, is 64 by --arith-expand, and -64 by --int-range-optimizations.
#
# arith.ceildivsi of -128 and 2 is -64, without a rest and within the range. One would expect the expansion to hold there, since only the quotient by -1 doesn't fit.
# Seen: for a negative dividend it negates, divides and negates again, and -128 negated is -128, so that the quotients by 2, 3 and 127 have the wrong sign;
# so for the least numbers of other widths. arith.floordivsi is right.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func private @printI64(i64)
func.func private @printComma()
func.func private @printNewline()
func.func @both(%a: i8, %b: i8) {
  %up = arith.ceildivsi %a, %b : i8
  %down = arith.floordivsi %a, %b : i8
  %x = arith.extsi %up : i8 to i64
  %y = arith.extsi %down : i8 to i64
  call @printI64(%x) : (i64) -> ()
  call @printComma() : () -> ()
  call @printI64(%y) : (i64) -> ()
  call @printComma() : () -> ()
  return
}
func.func @main() {
  %least = arith.constant -128 : i8
  %next = arith.constant -127 : i8
  %c2 = arith.constant 2 : i8
  %c3 = arith.constant 3 : i8
  %c127 = arith.constant 127 : i8
  call @both(%least, %c2) : (i8, i8) -> ()
  call @both(%least, %c3) : (i8, i8) -> ()
  call @both(%least, %c127) : (i8, i8) -> ()
  call @both(%next, %c2) : (i8, i8) -> ()
  return
}
PROGRAM
echo "expanded: $(run --arith-expand)" | tee out
echo "by ranges: $(run --inline --int-range-optimizations --arith-expand)" | tee -a out
diff out - <<'OUT'
expanded: 64, -64, 42, -43, 1, -2, -63, -64, 
by ranges: -64, -64, -42, -43, -1, -2, -63, -64, 
OUT
echo 'as found: -128 / 2 is 64'
