#!/usr/bin/env bash
# mlir-opt of LLVM 19: a remainder by what may be zero leaves a loop that may have no iterations, where the quotient of the same numbers stays.
#
# A loop divides by %y, and who calls the function with %y = 0 also calls it with %n = 0. One would expect --loop-invariant-code-motion to treat the remainder
# like the quotient: division by zero is undefined, so neither may be computed where it wasn't. Seen: arith.divui, divsi, ceildivsi and ceildivui stay in the loop, and
# arith.remui, remsi and floordivsi are computed in front of it, always. So is tensor.extract of an element that may be out of bounds.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func @f(%x: i32, %y: i32, %n: index, %t: tensor<?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> i32 {
    %a = arith.divui %x, %y : i32
    %b = arith.divsi %x, %y : i32
    %c = arith.ceildivsi %x, %y : i32
    %d = arith.remui %x, %y : i32
    %e = arith.remsi %x, %y : i32
    %f = arith.floordivsi %x, %y : i32
    %g = tensor.extract %t[%n] : tensor<?xi32>
    %0 = arith.xori %s, %a : i32
    %1 = arith.xori %0, %b : i32
    %2 = arith.xori %1, %c : i32
    %3 = arith.xori %2, %d : i32
    %4 = arith.xori %3, %e : i32
    %5 = arith.xori %4, %f : i32
    %6 = arith.xori %5, %g : i32
    scf.yield %6 : i32
  }
  return %r : i32
}
PROGRAM
"$bin/mlir-opt" --loop-invariant-code-motion in.mlir >moved.mlir
where() {
	echo "$1: $(grep -oE 'scf.for|arith.[a-z]*div[us]i|arith.rem[us]i|tensor.extract' "$2" | tr '\n' ' ')"
}
{ where 'as written' in.mlir; where 'with the pass' moved.mlir; } | tee out
diff out - <<'OUT'
as written: scf.for arith.divui arith.divsi arith.ceildivsi arith.remui arith.remsi arith.floordivsi tensor.extract 
with the pass: arith.remui arith.remsi arith.floordivsi tensor.extract scf.for arith.divui arith.divsi arith.ceildivsi 
OUT
echo 'as found: remainders leave the loop, quotients stay'
