#!/usr/bin/env bash
# TensorFlow.js: memory() counts the bytes of a reshaped tensor again, though there is no second buffer.
#
# tf.reshape and tf.clone share the data of their operand: numDataBuffers stays as it is. numBytes adds the size of the data once more for
# each of them, so a model that reshapes shows memory that doesn't exist. Disposing of them takes it away again.
# Seen in @tensorflow/tfjs-core and @tensorflow/tfjs-backend-cpu 4.22.0 of npm.
source "$(dirname "$0")/npm.bash"
need @tensorflow/tfjs-core@4.22.0 @tensorflow/tfjs-backend-cpu@4.22.0
cat >main.cjs <<'PROGRAM'
const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');
console.warn = () => {};
const a = tf.zeros([1000]);
const show = what => { const { numTensors, numDataBuffers, numBytes } = tf.memory(); console.log(what, numTensors, numDataBuffers, numBytes); };
show('a tensor:');
const b = tf.reshape(a, [10, 100]);
show('and its reshape:');
const c = tf.clone(b);
show('and a clone:');
b.dispose();
c.dispose();
show('without them:');
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
a tensor: 1 1 4000
and its reshape: 2 1 8000
and a clone: 3 1 12000
without them: 1 1 4000
OUT
echo 'as found: one buffer of 4000 bytes is reported as 12000'
