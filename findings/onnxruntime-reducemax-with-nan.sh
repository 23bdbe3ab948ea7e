#!/usr/bin/env bash
# ONNX Runtime: ReduceMax sees a NaN only where it comes first.
#
# Max of two tensors hands NaN on, wherever it is. ReduceMax of a row does so where the row begins with it; else the NaN is passed over.
# So the maximum over rows and over columns of one table differ in what they say of the same elements.
# Seen in onnxruntime-node 1.30.0 of npm, on the processor (x86-64).
source "$(dirname "$0")/npm.bash"
need onnxruntime-node@1.30.0
cat >main.cjs <<'PROGRAM'
const { run, f32 } = require(process.argv[2]);
(async () => {
  console.log('Max', ...await run('Max', { a: f32([NaN, 1]), b: f32([1, NaN]) }, ['float32']));
  for (const row of [[NaN, 1, 3], [1, NaN, 3], [1, 3, NaN]]) {
    console.log('ReduceMax', row.join(), ...await run('ReduceMax', { row: f32(row) }, ['float32'], { keepdims: 0 }));
  }
})();
PROGRAM
node main.cjs "$here/onnx.cjs" | tee out
diff out - <<'OUT'
Max [ NaN, NaN ]
ReduceMax NaN,1,3 [ NaN ]
ReduceMax 1,NaN,3 [ 3 ]
ReduceMax 1,3,NaN [ 3 ]
OUT
echo 'as found: whether a NaN counts depends on its place'
