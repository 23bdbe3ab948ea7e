#!/usr/bin/env bash
# mlir-opt of LLVM 19: the maximum of -5 and -3 is -1.4e-45, where a mask leaves out others.
#
# vector.mask around vector.reduction <maximumf> leaves out the elements whose bit is false: of -5, -2, -3 and -4 two are left. One would expect -3, as with maxnumf, or
# for no bits at all -inf. Seen: the reduction begins with the largest negative number there is, -1.4e-45 in f32 and -4.9e-324 in f64, above all others below
# zero. <minimumf> of positive numbers begins rightly.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian, by --convert-vector-to-llvm.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func @main() {
  %v = arith.constant dense<[-5.0, -2.0, -3.0, -4.0]> : vector<4xf32>
  %w = arith.constant dense<[-5.0, -2.0, -3.0, -4.0]> : vector<4xf64>
  %p = arith.constant dense<[5.0, 2.0, 3.0, 4.0]> : vector<4xf32>
  %m = arith.constant dense<[true, false, true, false]> : vector<4xi1>
  %a = vector.mask %m { vector.reduction <maximumf>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  vector.print %a : f32
  %b = vector.mask %m { vector.reduction <maximumf>, %w : vector<4xf64> into f64 } : vector<4xi1> -> f64
  vector.print %b : f64
  %c = vector.mask %m { vector.reduction <maxnumf>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  vector.print %c : f32
  %d = vector.mask %m { vector.reduction <minimumf>, %p : vector<4xf32> into f32 } : vector<4xi1> -> f32
  vector.print %d : f32
  %e = vector.reduction <maximumf>, %v : vector<4xf32> into f32
  vector.print %e : f32
  return
}
PROGRAM
run --lower-vector-mask --convert-vector-to-llvm | tee out
diff out - <<'OUT'
-1.4013e-45
-4.94066e-324
-3
3
-2
OUT
echo 'as found: the maximum of negative numbers is next to zero'
