#!/usr/bin/env bash
# ConvNetJS: where a tenth of the activations is dropped in training, prediction multiplies them by 0.1 and not by 0.9.
#
# So that both have the same mean, what isn't dropped in prediction is scaled by the share that is kept in training. Here it is the share that is dropped: right
# for 0.5 only, which is the default. The columns are the share, prediction, and the mean over 20000 passes of training, of an activation of 1.
# Seen in convnetjs 0.3.0 of npm.
source "$(dirname "$0")/npm.bash"
need convnetjs@0.3.0
cat >main.cjs <<'PROGRAM'
const { DropoutLayer, Vol } = require('convnetjs');
for (const drop_prob of [0.1, 0.5, 0.9]) {
  const layer = new DropoutLayer({ drop_prob, in_sx: 1, in_sy: 1, in_depth: 1 });
  let sum = 0;
  for (let i = 0; i < 20000; i++) sum += layer.forward(new Vol([1]), true).w[0];
  console.log(drop_prob, layer.forward(new Vol([1]), false).w[0], (sum / 20000).toFixed(1));
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
0.1 0.1 0.9
0.5 0.5 0.5
0.9 0.9 0.1
OUT
echo 'as found: prediction and training differ by a factor of 9'
