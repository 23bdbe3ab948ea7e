#!/usr/bin/env bash
# ONNX Runtime: the mean of no elements is 0.
#
# ReduceMean over a dimension of size 0 gives 0 for each element, as ReduceSum does, not 0/0. ReduceMax over it gives minus infinity, from
# which one sees that nothing was there.
# Seen in onnxruntime-node 1.30.0 of npm, on the processor (x86-64).
source "$(dirname "$0")/npm.bash"
need onnxruntime-node@1.30.0
cat >main.cjs <<'PROGRAM'
const { run, f32, i64 } = require(process.argv[2]);
(async () => {
  const x = f32([], [0, 2]);
  console.log('ReduceSum', ...await run('ReduceSum', { x, axes: i64([0]) }, ['float32'], { keepdims: 0 }));
  console.log('ReduceMean', ...await run('ReduceMean', { x }, ['float32'], { axes: [0], keepdims: 0 }));
  console.log('ReduceMax', ...await run('ReduceMax', { x }, ['float32'], { axes: [0], keepdims: 0 }));
})();
PROGRAM
node main.cjs "$here/onnx.cjs" | tee out
diff out - <<'OUT'
ReduceSum [ 0, 0 ]
ReduceMean [ 0, 0 ]
ReduceMax [ -Infinity, -Infinity ]
OUT
echo 'as found: the mean of nothing is 0'
