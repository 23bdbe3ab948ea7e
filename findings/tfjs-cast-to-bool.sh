#!/usr/bin/env bash
# TensorFlow.js: 0.5 and NaN are true on one backend and false on the other.
#
# tf.cast to bool compares with 0 on the processor. On WebAssembly it cuts off the fraction first, so all between -1 and 1 is false.
# Seen in @tensorflow/tfjs-core, tfjs-backend-cpu and tfjs-backend-wasm 4.22.0 of npm.
source "$(dirname "$0")/tfjs.bash"
both <<'PROGRAM' | tee out
console.log(backend, ...tf.cast(tf.tensor1d([0, 0.5, -0.5, 1, NaN]), 'bool').dataSync());
PROGRAM
diff out - <<'OUT'
cpu 0 1 1 1 1
wasm 0 0 0 1 0
OUT
echo 'as found: 0.5 is true on one backend only'
