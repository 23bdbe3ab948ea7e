#!/usr/bin/env bash
# TensorFlow.js: the square of 4097 as an integer is 16785408, and 4097 times itself is 16785409.
#
# The product of integers is exact, and beyond 32 bits its lower ones are kept, as of 65537^2, which is 2^32 + 131073; so it is by pow and squaredDifference.
# square goes by way of floats of 32 bits, and loses what is beyond 2^24.
# Seen in @tensorflow/tfjs-core and tfjs-backend-cpu 4.22.0 of npm.
source "$(dirname "$0")/npm.bash"
need @tensorflow/tfjs-core@4.22.0 @tensorflow/tfjs-backend-cpu@4.22.0
cat >main.cjs <<'PROGRAM'
const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');
console.warn = () => {};
for (const n of [1000, 4097, 65537]) {
  const x = tf.tensor1d([n], 'int32'), results = { square: tf.square(x), mul: tf.mul(x, x), pow: tf.pow(x, tf.scalar(2, 'int32')), squaredDifference: tf.squaredDifference(x, tf.scalar(0, 'int32')) };
  console.log(n, ...Object.entries(results).flatMap(([name, y]) => [name, y.dtype, y.dataSync()[0]]));
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
1000 square int32 1000000 mul int32 1000000 pow int32 1000000 squaredDifference int32 1000000
4097 square int32 16785408 mul int32 16785409 pow int32 16785409 squaredDifference int32 16785409
65537 square int32 131072 mul int32 131073 pow int32 131073 squaredDifference int32 131073
OUT
echo 'as found: a square is not the product'
