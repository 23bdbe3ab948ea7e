#!/usr/bin/env bash
# TensorFlow.js: add of two booleans is a boolean whose value is 2.
#
# The result has dtype bool and holds the byte 2. What reads it disagrees on what it is: logicalAnd takes it for true, equal to true is
# false, and a sum over it counts it twice.
# Seen in @tensorflow/tfjs-core and @tensorflow/tfjs-backend-cpu 4.22.0 of npm.
source "$(dirname "$0")/npm.bash"
need @tensorflow/tfjs-core@4.22.0 @tensorflow/tfjs-backend-cpu@4.22.0
cat >main.cjs <<'PROGRAM'
const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');
console.warn = () => {};
const yes = tf.tensor1d([true], 'bool');
const both = tf.add(yes, yes);
console.log(both.dtype, ...both.dataSync());
console.log('and true:', ...tf.logicalAnd(both, yes).dataSync(), 'equals true:', ...tf.equal(both, yes).dataSync(), 'sum:', ...tf.sum(both).dataSync());
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
bool 2
and true: 1 equals true: 0 sum: 2
OUT
echo 'as found: a boolean with the value 2'
