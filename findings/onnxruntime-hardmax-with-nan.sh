#!/usr/bin/env bash
# ONNX Runtime: Hardmax of a row with a NaN in front has no 1 at all.
#
# Hardmax puts a 1 where a row has its largest element, and 0 elsewhere; so a row of results sums up to 1, and ArgMax finds the 1. A row
# that begins with NaN gets zeros only: its maximum is the NaN, to which no element is equal. With the NaN in another place, there is a 1.
# Seen in onnxruntime-node 1.30.0 of npm, on the processor (x86-64).
source "$(dirname "$0")/npm.bash"
need onnxruntime-node@1.30.0
cat >main.cjs <<'PROGRAM'
const { run, f32 } = require(process.argv[2]);
(async () => {
  for (const row of [[1, 2, 0], [1, NaN, 2], [NaN, 1, 2]]) {
    console.log(row.join(), ...await run('Hardmax', { row: f32(row, [1, 3]) }, ['float32']));
  }
})();
PROGRAM
node main.cjs "$here/onnx.cjs" | tee out
diff out - <<'OUT'
1,2,0 [ 0, 1, 0 ]
1,NaN,2 [ 0, 0, 1 ]
NaN,1,2 [ 0, 0, 0 ]
OUT
echo 'as found: a row without a 1'
