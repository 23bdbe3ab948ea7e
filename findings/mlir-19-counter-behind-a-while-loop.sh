#!/usr/bin/env bash
# mlir-opt of LLVM 19: a while loop that counts up to 10 gives 9 when it has become a for loop; in steps of 3 it is 9 in place of 12.
#
# What scf.while gives is what its condition saw when it failed: the counter is 10 then, and 0 if it wasn't below the limit to begin with. One would expect the pattern that
# makes scf.for of such loops to keep that value, or not to match where it is used. Seen: it is the counter of the last iteration, one step less, and -1 for a limit
# of 0. The pattern is in the library of scf; the pass that applies it is --test-scf-uplift-while-to-for.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
func.func private @printI64(i64)
func.func private @printComma()
func.func @count(%limit: index, %step: index) {
  %c0 = arith.constant 0 : index
  %r = scf.while (%i = %c0) : (index) -> index {
    %c = arith.cmpi slt, %i, %limit : index
    scf.condition(%c) %i : index
  } do {
  ^bb0(%i: index):
    %k = arith.addi %i, %step : index
    scf.yield %k : index
  }
  %n = arith.index_cast %r : index to i64
  call @printI64(%n) : (i64) -> ()
  call @printComma() : () -> ()
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  call @count(%c10, %c1) : (index, index) -> ()
  call @count(%c10, %c3) : (index, index) -> ()
  call @count(%c0, %c1) : (index, index) -> ()
  return
}
PROGRAM
echo "as written: $(run)" | tee out
echo "with the pass: $(run --test-scf-uplift-while-to-for)" | tee -a out
diff out - <<'OUT'
as written: 10, 12, 0, 
with the pass: 9, 9, -1, 
OUT
echo 'as found: the loop ends one step early'
