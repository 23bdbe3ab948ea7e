#!/usr/bin/env bash
# mlir-opt of LLVM 19: a loop over 3 and 9 becomes one over 1, 7 and 13, by --scf-for-loop-range-folding.
#
# A loop from 1 to 5 by 2 whose variable is used only times 3 could as well go from 3 to 15 by 6, and that is what the pass is for. One would expect at most that it
# leaves such a loop alone. Seen: the upper bound and the step are multiplied, and the lower bound isn't, so that there are other numbers, and more of them; where
# the loop begins at 0, as most do, it can't be seen. A factor of -1 makes a loop with a step below zero, which has no iterations.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
loop() {
	cat >in.mlir <<PROGRAM
func.func private @printI64(i64)
func.func private @printComma()
func.func @main() {
  %from = arith.constant $1 : index
  %to = arith.constant $2 : index
  %by = arith.constant $3 : index
  %factor = arith.constant $4 : index
  scf.for %i = %from to %to step %by {
    %k = arith.muli %i, %factor : index
    %n = arith.index_cast %k : index to i64
    func.call @printI64(%n) : (i64) -> ()
    func.call @printComma() : () -> ()
  }
  return
}
PROGRAM
	echo "from $1 to $2 by $3, times $4: $(run)with the pass: $(run --scf-for-loop-range-folding)"
}
{
	loop 0 5 1 3
	loop 1 5 2 3
	loop 3 9 2 2
	loop 1 5 2 -1
} | tee out
diff out - <<'OUT'
from 0 to 5 by 1, times 3: 0, 3, 6, 9, 12, with the pass: 0, 3, 6, 9, 12, 
from 1 to 5 by 2, times 3: 3, 9, with the pass: 1, 7, 13, 
from 3 to 9 by 2, times 2: 6, 10, 14, with the pass: 3, 7, 11, 15, 
from 1 to 5 by 2, times -1: -1, -3, with the pass: 
OUT
echo 'as found: the loop begins elsewhere'
