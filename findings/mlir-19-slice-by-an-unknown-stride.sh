#!/usr/bin/env bash
# mlir-opt of LLVM 19: a view with an unknown stride is taken for its source, which has another.
#
# memref.subview %m[0] [4] [%s] of a buffer of type memref<4xi8, strided<[?], offset: ?>> has the same type, since the type says that the
# stride is unknown. --canonicalize takes the view for the source. If %s is 0, which is in bounds, all elements of the view are the first.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func @f(%m: memref<4xi8, strided<[?], offset: ?>>, %s: index, %i: index) -> i8 {
  %view = memref.subview %m[0] [4] [%s] : memref<4xi8, strided<[?], offset: ?>> to memref<4xi8, strided<[?], offset: ?>>
  %x = memref.load %view[%i] : memref<4xi8, strided<[?], offset: ?>>
  return %x : i8
}
PROGRAM
"$bin/mlir-opt" in.mlir --canonicalize | tee out
if grep -q subview out; then
	echo 'the view is there: that has changed'
	exit 1
fi
grep -q 'memref.load %arg0\[%arg2\]' out
echo 'as found: %s has no use any more'
