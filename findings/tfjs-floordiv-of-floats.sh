#!/usr/bin/env bash
# TensorFlow.js: floorDiv of the floats 1e10 and 1 is the integer 1410065408 on one backend, and the float 1e10 on the other.
#
# The quotient, rounded down, has the type of the arguments by the documentation of TensorFlow; floor of div is so on both backends. The one in JavaScript
# makes an int32 of it, and keeps the lower 32 bits.
# Seen in @tensorflow/tfjs-core, tfjs-backend-cpu and tfjs-backend-wasm 4.22.0 of npm.
source "$(dirname "$0")/tfjs.bash"
both <<'PROGRAM' | tee out
const a = tf.tensor1d([-7, 1e10]), b = tf.tensor1d([2, 1]);
for (const [name, y] of [['floorDiv', tf.floorDiv(a, b)], ['floor of div', tf.floor(tf.div(a, b))]]) console.log(backend, name, y.dtype, ...y.dataSync());
PROGRAM
diff out - <<'OUT'
cpu floorDiv int32 -4 1410065408
cpu floor of div float32 -4 10000000000
wasm floorDiv float32 -4 10000000000
wasm floor of div float32 -4 10000000000
OUT
echo 'as found: 1e10 divided by 1 is 1410065408'
