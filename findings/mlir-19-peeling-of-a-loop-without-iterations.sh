#!/usr/bin/env bash
# mlir-opt of LLVM 19: a loop from 6 to 1, which has no iterations, has one after --scf-for-loop-peeling, and another one with peel-front.
#
# Peeling splits a loop where a whole number of steps ends, or behind its first iteration. For bounds that are only known when the program runs one would expect it to
# keep the case that there is nothing to do. Seen: from 6 to 1 by 3 the rest begins at 0, where 1 - (1 - 6) mod 3 is, and has an iteration at 0; and the
# first iteration that peel-front puts in front of the loop isn't asked whether there is one.
# Seen in mlir-19-tools 1:19.1.7-3~deb12u1 of Debian.
source "$(dirname "$0")/mlir-19.bash"
cat >in.mlir <<'PROGRAM'
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
cp in.mlir program.mlir
for loop in '%c1 %c6' '%c6 %c1'; do
	sed "s/FROM, TO/${loop/ /, }/" program.mlir >in.mlir
	echo "from ${loop/ / to }: $(run) peeled: $(run --scf-for-loop-peeling --lower-affine) in front: $(run --scf-for-loop-peeling=peel-front=1 --lower-affine)"
done | tee out
diff out - <<'OUT'
from %c1 to %c6: 1, 4,  peeled: 1, 4,  in front: 1, 4, 
from %c6 to %c1:  peeled: 0,  in front: 6, 
OUT
echo 'as found: nothing is done once'
