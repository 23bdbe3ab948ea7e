#!/usr/bin/env bash
# Runner utilities of LLVM 19: rtrand(g, m) returns m, too.
#
# The header of libmlir_c_runner_utils says that a random number is in the range from 0 up to, but without, m. It is drawn with m as the last number: a program that takes it for an index
# of a buffer of m elements reaches behind its end. With m = 1, which leaves only 0, 1 comes as well. The columns are the
# number, and whether it came among 3,000 for m = 1 and for m = 2.
# Seen in mlir-19-tools and libmlir-19 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
utils=$(find root -name 'libmlir_c_runner_utils.so.*' | head -n 1)
cat >in.mlir <<'PROGRAM'
func.func private @rtsrand(index) -> !llvm.ptr
func.func private @rtrand(!llvm.ptr, index) -> index
func.func private @rtdrand(!llvm.ptr)
func.func private @printU64(i64)
func.func private @printNewline()
func.func @main() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %end = arith.constant 3000 : index
  %none = arith.constant 0 : i64
  %unit = arith.constant 1 : i64
  %g = func.call @rtsrand(%one) : (index) -> !llvm.ptr
  scf.for %m = %one to %three step %one {
    scf.for %x = %zero to %three step %one {
      %h = func.call @rtsrand(%one) : (index) -> !llvm.ptr
      %n = scf.for %i = %zero to %end step %one iter_args(%found = %none) -> (i64) {
        %r = func.call @rtrand(%h, %m) : (!llvm.ptr, index) -> index
        %is = arith.cmpi eq, %r, %x : index
        %next = arith.select %is, %unit, %found : i64
        scf.yield %next : i64
      }
      func.call @printU64(%n) : (i64) -> ()
      func.call @printNewline() : () -> ()
      func.call @rtdrand(%h) : (!llvm.ptr) -> ()
    }
  }
  func.call @rtdrand(%g) : (!llvm.ptr) -> ()
  return
}
PROGRAM
"$bin/mlir-opt" in.mlir --convert-scf-to-cf --convert-arith-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts |
	"$bin/mlir-cpu-runner" -e main -entry-point-result=void -O0 -shared-libs="$utils" >all
paste -d' ' <(printf '%s\n' 0 1 2) <(head -n 3 all) <(tail -n 3 all) | tee out
diff out - <<'OUT'
0 1 1
1 1 1
2 0 1
OUT
echo 'as found: the bound is drawn, too'
