#!/usr/bin/env bash
# numjs: arange from 0 to 1 by 0.1 has eleven numbers, and arange from 1 to 0 by -0.25 has none.
#
# Made after NumPy, whose ranges have ceil((stop - start) / step) numbers, ten and four. Here the step is added until the sum reaches the end, and ten times 0.1
# as a sum is a little less than 1, so that the end is one of the numbers. A range that goes down is empty.
# Seen in @d4c/numjs 0.17.35 of npm, the continuation of numjs.
source "$(dirname "$0")/npm.bash"
need @d4c/numjs@0.17.35
cat >main.cjs <<'PROGRAM'
const numjs = require('@d4c/numjs');
const nj = numjs.default || numjs;
for (const [start, stop, step] of [[0, 1, 0.25], [0, 1, 0.1], [1, 0, -0.25]]) {
  const list = nj.arange(start, stop, step).tolist();
  console.log(start, stop, step, list.length, list[list.length - 1]);
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
0 1 0.25 4 0.75
0 1 0.1 11 0.9999999999999999
1 0 -0.25 0 undefined
OUT
echo 'as found: the end of a range belongs to it, and a range downward is empty'
