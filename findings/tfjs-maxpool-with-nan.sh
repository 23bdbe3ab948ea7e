#!/usr/bin/env bash
# TensorFlow.js: maxPool passes over NaN, max and maximum hand it on; of NaN alone a pool makes minus infinity.
#
# The largest element of a window by maxPool is that of its numbers. The same window by max is NaN. So a NaN in a layer before a pool
# disappears on its way, where a reduction would show it.
# Seen in @tensorflow/tfjs-core and @tensorflow/tfjs-backend-cpu 4.22.0 of npm.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts @tensorflow/tfjs-core@4.22.0 @tensorflow/tfjs-backend-cpu@4.22.0
cat >main.cjs <<'PROGRAM'
const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');
console.warn = () => {};
for (const data of [[NaN, 1, 2, 3], [NaN, NaN, NaN, NaN]]) {
  const x = tf.tensor3d(data, [2, 2, 1]);
  console.log(data.join(), 'maxPool:', ...tf.maxPool(x, 2, 2, 'valid').dataSync(), 'max:', ...tf.max(x).dataSync());
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
NaN,1,2,3 maxPool: 3 max: NaN
NaN,NaN,NaN,NaN maxPool: -Infinity max: NaN
OUT
echo 'as found: the pool knows no NaN'
