#!/usr/bin/env bash
# mlir-opt of LLVM 19: a loop that copies elements in reverse order, or each second one, copies neighbours instead, by --affine-super-vectorize.
#
# The loop reads %m[7 - %i] and writes %o[%i], and another one reads %m[2 * %i]. One would expect the pass to make vectors of what lies side by side only, and to leave these
# loops: it refuses views with a stride. Seen: four elements from place 7 - %i on, forwards, of which all but the first are behind the end and 0, and four from
# 2 * %i on.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
loop() {
	cat >in.mlir <<PROGRAM
func.func private @printI64(i64)
func.func private @printComma()
func.func @main() {
  %m = memref.alloc() : memref<$2xi64>
  %o = memref.alloc() : memref<8xi64>
  affine.for %i = 0 to $2 {
    %n = arith.index_cast %i : index to i64
    affine.store %n, %m[%i] : memref<$2xi64>
  }
  affine.for %i = 0 to 8 {
    %x = affine.load %m[$1] : memref<$2xi64>
    affine.store %x, %o[%i] : memref<8xi64>
  }
  affine.for %i = 0 to 8 {
    %x = affine.load %o[%i] : memref<8xi64>
    func.call @printI64(%x) : (i64) -> ()
    func.call @printComma() : () -> ()
  }
  return
}
PROGRAM
	echo "%m[$1]: $(run --lower-affine)with the pass: $(run --affine-super-vectorize=virtual-vector-size=4 --lower-affine --convert-vector-to-scf --convert-vector-to-llvm)"
}
{
	loop '%i + 1' 9
	loop '7 - %i' 8
	loop '2 * %i' 16
} | tee out
diff out - <<'OUT'
%m[%i + 1]: 1, 2, 3, 4, 5, 6, 7, 8, with the pass: 1, 2, 3, 4, 5, 6, 7, 8, 
%m[7 - %i]: 7, 6, 5, 4, 3, 2, 1, 0, with the pass: 7, 0, 0, 0, 3, 4, 5, 6, 
%m[2 * %i]: 0, 2, 4, 6, 8, 10, 12, 14, with the pass: 0, 1, 2, 3, 8, 9, 10, 11, 
OUT
echo 'as found: backwards is forwards'
