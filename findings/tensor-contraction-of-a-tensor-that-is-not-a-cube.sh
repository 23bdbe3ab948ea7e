#!/usr/bin/env bash
# tensor-contraction: the traces of three matrices of 2x2 are 3, 15 and not a number.
#
# A 3x2x2 tensor with the elements 0 to 11 is three matrices, and their traces, the contraction of its second and its third index, are 3, 11 and 19. One would expect
# that of a library that does nothing else. Seen: 3, 15 and NaN, since it reads behind the end. With 2 in place of 3, or with the matrices' indices in front, it is
# right, and the size of the dimension that is left is the same as that of the contracted ones in its examples.
# Seen in tensor-contraction 0.2.0 of npm.
source "$(dirname "$0")/npm.bash"
need tensor-contraction@0.2.0
cat >main.cjs <<'PROGRAM'
const contraction = require('tensor-contraction');
const count = n => Array.from({ length: n }, (_, i) => i);
for (const [pair, dims] of [[[1, 2], [3, 2, 2]], [[1, 2], [2, 2, 2]], [[0, 1], [2, 2, 3]]])
  console.log(`indices ${pair} of ${dims.join('x')}:`, contraction((a, b) => a + b, pair, dims, count(dims.reduce((a, b) => a * b))).join(' '));
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
indices 1,2 of 3x2x2: 3 15 NaN
indices 1,2 of 2x2x2: 3 11
indices 0,1 of 2x2x3: 9 11 13
OUT
echo 'as found: a trace is not a number'
