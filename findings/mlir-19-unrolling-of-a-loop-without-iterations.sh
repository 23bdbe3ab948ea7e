#!/usr/bin/env bash
# mlir-opt of LLVM 19: a loop from 6 to 1 by 3, which has no iterations, has one at -1 when it is unrolled by 3.
#
# The number of iterations of a loop, rounded up, is (to - from + 2) / 3, which is below zero here. One would expect loopUnrollByFactor of the library of scf to hold for
# all bounds, as the loop itself does. Seen: the rest, for the iterations that don't make a whole round, begins where the rounds would end, and that is below 1. The pass
# that applies it is --test-loop-unrolling; unrolled by 2 or 4, and from 1 to 6, it is right.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >program.mlir <<'PROGRAM'
func.func private @printI64(i64)
func.func private @printComma()
func.func @list(%from: index, %to: index) {
  %step = arith.constant 3 : index
  scf.for %i = %from to %to step %step {
    %n = arith.index_cast %i : index to i64
    func.call @printI64(%n) : (i64) -> ()
    func.call @printComma() : () -> ()
  }
  return
}
func.func @main() {
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  call @list(FROM, TO) : (index, index) -> ()
  return
}
PROGRAM
for loop in '%c1 %c6' '%c6 %c1'; do
	sed "s/FROM, TO/${loop/ /, }/" program.mlir >in.mlir
	for by in 2 3 4; do echo "from ${loop/ / to } by $by: $(run --test-loop-unrolling="unroll-factor=$by loop-depth=0")"; done
done | tee out
diff out - <<'OUT'
from %c1 to %c6 by 2: 1, 4, 
from %c1 to %c6 by 3: 1, 4, 
from %c1 to %c6 by 4: 1, 4, 
from %c6 to %c1 by 2: 
from %c6 to %c1 by 3: -1, 
from %c6 to %c1 by 4: 
OUT
echo 'as found: nothing is done once'
