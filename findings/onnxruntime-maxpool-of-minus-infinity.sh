#!/usr/bin/env bash
# ONNX Runtime: MaxPool of minus infinities is the least finite number; ReduceMax is right.
#
# Masks put minus infinity where nothing is to count. Where a window has nothing else, MaxPool and GlobalMaxPool return -3.4e38, a number
# like others: an exponential of its difference to itself is 1, where ReduceMax over the same elements gives minus infinity.
# Seen in onnxruntime-node 1.30.0 of npm, on the processor (x86-64).
source "$(dirname "$0")/npm.bash"
need onnxruntime-node@1.30.0
cat >main.cjs <<'PROGRAM'
const { run, f32 } = require(process.argv[2]);
(async () => {
  const x = f32([-Infinity, -Infinity, -Infinity, -Infinity], [1, 1, 2, 2]);
  console.log('MaxPool', ...await run('MaxPool', { x }, ['float32'], { kernel_shape: [2, 2] }));
  console.log('GlobalMaxPool', ...await run('GlobalMaxPool', { x }, ['float32'], {}, 22));
  console.log('ReduceMax', ...await run('ReduceMax', { x }, ['float32']));
})();
PROGRAM
node main.cjs "$here/onnx.cjs" | tee out
diff out - <<'OUT'
MaxPool [ -3.4028234663852886e+38 ]
GlobalMaxPool [ -3.4028234663852886e+38 ]
ReduceMax [ -Infinity ]
OUT
echo 'as found: the pools begin with the least finite number'
