#!/usr/bin/env bash
# mlir-opt of LLVM 19: true, as a signed integer of one bit, is -1 as a float, and 1 in the C++ that comes of the same program.
#
# arith.sitofp of i1 takes the bit for a sign: true is -1.0, by --canonicalize and when it is executed. --convert-arith-to-emitc refuses what C has otherwise, such
# as arith.extsi of i1. One would expect it to refuse this, too, or to negate. Seen: a cast of a bool to float, which is 1.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func @f(%b: i1) -> f32 {
  %x = arith.sitofp %b : i1 to f32
  return %x : f32
}
PROGRAM
sed 's/@f(%b: i1)/@f()/; s/  %x/  %b = arith.constant true\n  %x/' in.mlir | "$bin/mlir-opt" --canonicalize | grep -o 'arith.constant.*' | tee out
"$bin/mlir-opt" in.mlir --convert-arith-to-emitc --convert-func-to-emitc | "$bin/mlir-translate" --mlir-to-cpp >f.cc
cat f.cc
echo '#include <stdio.h>' >main.cc
cat f.cc >>main.cc
echo 'int main() { printf("%g\n", f(true)); }' >>main.cc
g++ main.cc -o main
./main | tee -a out
diff out - <<'OUT'
arith.constant -1.000000e+00 : f32
1
OUT
if sed 's/sitofp/extsi/; s/f32/i32/g' in.mlir | "$bin/mlir-opt" --convert-arith-to-emitc --convert-func-to-emitc 2>refused.txt; then
	echo 'arith.extsi of i1 is converted: that has changed'
	exit 1
fi
echo 'as found: -1 is 1'
