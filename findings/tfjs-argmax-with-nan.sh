#!/usr/bin/env bash
# TensorFlow.js: the maximum of 1, NaN and 3 is NaN, and argMax is the place of the 3.
#
# What lies at the place of the maximum isn't the maximum. It is the same with the minimum. Where NaN comes first, argMax is its place, whatever follows. topk
# has 3 as the largest one everywhere.
# Seen in @tensorflow/tfjs-core and tfjs-backend-cpu 4.22.0 of npm.
source "$(dirname "$0")/npm.bash"
need @tensorflow/tfjs-core@4.22.0 @tensorflow/tfjs-backend-cpu@4.22.0
cat >main.cjs <<'PROGRAM'
const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');
console.warn = () => {};
for (const list of [[1, 2, 3], [1, NaN, 3], [NaN, 1, 3]]) {
  const x = tf.tensor1d(list);
  console.log(list.join(), 'max', tf.max(x).dataSync()[0], 'argMax', tf.argMax(x).dataSync()[0], 'min', tf.min(x).dataSync()[0], 'argMin', tf.argMin(x).dataSync()[0], 'topk', tf.topk(x, 1).values.dataSync()[0]);
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
1,2,3 max 3 argMax 2 min 1 argMin 0 topk 3
1,NaN,3 max NaN argMax 2 min NaN argMin 0 topk 3
NaN,1,3 max NaN argMax 0 min NaN argMin 0 topk 3
OUT
echo 'as found: at the place of the maximum there is another number'
