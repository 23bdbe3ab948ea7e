#!/usr/bin/env bash
# ConvNetJS: max pooling of numbers below -99999 gives -99999.
#
# The maximum starts from -99999 and not from minus infinity. Logarithms of probabilities, or a mask of -1e9, come out as a number that isn't in the window.
# Seen in convnetjs 0.3.0 of npm.
source "$(dirname "$0")/npm.bash"
need convnetjs@0.3.0
cat >main.cjs <<'PROGRAM'
const { PoolLayer, Vol } = require('convnetjs');
for (const factor of [1, -1, -20000, -1e9]) {
  const layer = new PoolLayer({ sx: 2, stride: 2, in_sx: 4, in_sy: 4, in_depth: 1 }), volume = new Vol(4, 4, 1, 0);
  for (let i = 0; i < 16; i++) volume.w[i] = factor * (i + 1);
  console.log(factor, Array.from(layer.forward(volume, false).w).join());
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
1 6,8,14,16
-1 -1,-3,-9,-11
-20000 -20000,-60000,-99999,-99999
-1000000000 -99999,-99999,-99999,-99999
OUT
echo 'as found: the maximum is none of the numbers'
