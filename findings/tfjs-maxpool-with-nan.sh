#!/usr/bin/env bash
# TensorFlow.js: maxPool passes over NaN on one backend, and gives minus infinity on the other; max hands NaN on.
#
# The largest element of a window with a NaN is that of its numbers on the processor, and minus infinity on WebAssembly, where a NaN in front
# hides the numbers behind it. The same elements by max are NaN on both. So a NaN in front of a pool disappears or becomes infinite.
# Seen in @tensorflow/tfjs-core, tfjs-backend-cpu and tfjs-backend-wasm 4.22.0 of npm.
source "$(dirname "$0")/tfjs.bash"
both <<'PROGRAM' | tee out
for (const data of [[NaN, 1, 2, 3], [1, 2, 3, NaN]]) {
  const x = tf.tensor3d(data, [2, 2, 1]);
  console.log(backend, data.join(), 'maxPool:', ...tf.maxPool(x, 2, 2, 'valid').dataSync(), 'max:', ...tf.max(x).dataSync());
}
PROGRAM
diff out - <<'OUT'
cpu NaN,1,2,3 maxPool: 3 max: NaN
cpu 1,2,3,NaN maxPool: 3 max: NaN
wasm NaN,1,2,3 maxPool: -Infinity max: NaN
wasm 1,2,3,NaN maxPool: 3 max: NaN
OUT
echo 'as found: three answers to one question'
