#!/usr/bin/env bash
# TensorFlow.js: where with integers and floats reads the bits of the floats as integers on one backend.
#
# The condition takes 1, an int32, or 2.5, a float32. On the processor the result is of float32 with the values 1 and 2.5. On WebAssembly it is of
# int32, as the first operand, and the 2.5 is 1075838976, which are its bits. If the first operand is the float, integers become denormals.
# Seen in @tensorflow/tfjs-core, tfjs-backend-cpu and tfjs-backend-wasm 4.22.0 of npm.
source "$(dirname "$0")/tfjs.bash"
both <<'PROGRAM' | tee out
const yes = tf.tensor1d([true, false], 'bool'), i = tf.tensor1d([1, 2], 'int32'), f = tf.tensor1d([1.5, 2.5]);
for (const t of [tf.where(yes, i, f), tf.where(yes, f, i)]) console.log(backend, t.dtype, ...t.dataSync());
PROGRAM
diff out - <<'OUT'
cpu float32 1 2.5
cpu float32 1.5 2
wasm int32 1 1075838976
wasm float32 1.5 2.802596928649634e-45
OUT
echo 'as found: bits of one type in a tensor of the other'
