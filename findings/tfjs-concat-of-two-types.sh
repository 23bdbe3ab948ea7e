#!/usr/bin/env bash
# TensorFlow.js: concat of integers and floats has the type of the first one, and cuts off what it can not hold; stack of the same refuses.
#
# The order of the operands decides: 1 and 1.5 are 1 and 1, as int32. Arithmetic of the same two takes float32 for both.
# Seen in @tensorflow/tfjs-core and @tensorflow/tfjs-backend-cpu 4.22.0 of npm.
source "$(dirname "$0")/npm.bash"
need @tensorflow/tfjs-core@4.22.0 @tensorflow/tfjs-backend-cpu@4.22.0
cat >main.cjs <<'PROGRAM'
const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');
console.warn = () => {};
const i = tf.tensor1d([1], 'int32'), f = tf.tensor1d([1.5]);
for (const [name, r] of [['concat i, f', () => tf.concat([i, f])], ['concat f, i', () => tf.concat([f, i])], ['add i, f', () => tf.add(i, f)], ['stack i, f', () => tf.stack([i, f])]]) {
  try {
    const t = r();
    console.log(name, t.dtype, ...t.dataSync());
  } catch {
    console.log(name, 'is an error');
  }
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
concat i, f int32 1 1
concat f, i float32 1.5 1
add i, f float32 2.5
stack i, f is an error
OUT
echo 'as found: 1.5 became 1 without a word'
