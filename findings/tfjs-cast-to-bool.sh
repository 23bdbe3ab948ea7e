#!/usr/bin/env bash
# TensorFlow.js: 0.5 and NaN are true on one backend and false on the other.
#
# tf.cast to bool compares with 0 on the processor. On WebAssembly it cuts off the fraction first, so all between -1 and 1 is false.
# Seen in @tensorflow/tfjs-core, tfjs-backend-cpu and tfjs-backend-wasm 4.22.0 of npm.
source "$(dirname "$0")/npm.bash"
need @tensorflow/tfjs-core@4.22.0 @tensorflow/tfjs-backend-cpu@4.22.0 @tensorflow/tfjs-backend-wasm@4.22.0
cat >main.cjs <<'PROGRAM'
const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');
require('@tensorflow/tfjs-backend-wasm');
console.warn = () => {};
(async () => {
  for (const backend of ['cpu', 'wasm']) {
    await tf.setBackend(backend);
    console.log(backend, ...tf.cast(tf.tensor1d([0, 0.5, -0.5, 1, NaN]), 'bool').dataSync());
  }
})();
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
cpu 0 1 1 1 1
wasm 0 0 0 1 0
OUT
echo 'as found: 0.5 is true on one backend only'
