#!/usr/bin/env bash
# ONNX Runtime: Unique of numbers with a NaN loses other numbers.
#
# The operator sorts and drops what is equal to its neighbour. Of NaN, NaN, 0, 5 it returns NaN alone; of 5, NaN, 0, 5 it returns 0 and
# 5, without the NaN. Which numbers survive depends on where the NaN stands.
# Seen in onnxruntime-node 1.30.0 of npm, on the processor (x86-64).
source "$(dirname "$0")/npm.bash"
need onnxruntime-node@1.30.0
cat >main.cjs <<'PROGRAM'
const { run, f32 } = require(process.argv[2]);
(async () => {
  for (const data of [[NaN, NaN, 0, 5], [5, NaN, 0, 5], [0, 5, NaN, 7]]) {
    const [values] = await run('Unique', { data: f32(data) }, ['float32'], {}, 11);
    console.log(data.join(), 'has', values.join());
  }
})();
PROGRAM
node main.cjs "$here/onnx.cjs" | tee out
diff out - <<'OUT'
NaN,NaN,0,5 has NaN
5,NaN,0,5 has 0,5
0,5,NaN,7 has 0,5,7
OUT
echo 'as found: 0 and 5 are gone in the first list, and the NaN in the others'
