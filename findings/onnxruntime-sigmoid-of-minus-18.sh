#!/usr/bin/env bash
# ONNX Runtime: Sigmoid of -18 and less is exactly 0.
#
# 1 / (1 + e^18) is 1.5e-8, which float32 has with seven digits, as it has all down to -87. The result is a quotient of polynomials that
# stops at -18 and gives 0; at -17 it is 8.9e-8 in place of 4.1e-8. So a logarithm of it is minus infinity, from -18 on. Softplus, which
# a model may have instead, is exact there.
# Seen in onnxruntime-node 1.30.0 of npm, on the processor (x86-64).
source "$(dirname "$0")/npm.bash"
need onnxruntime-node@1.30.0
cat >main.cjs <<'PROGRAM'
const { run, f32 } = require(process.argv[2]);
(async () => {
  for (const x of [-10, -15, -17, -18, -30]) {
    const [[y]] = await run('Sigmoid', { x: f32([x]) }, ['float32']);
    console.log(x, y.toExponential(1), 'should be', (1 / (1 + Math.exp(-x))).toExponential(1));
  }
  const [[log]] = await run('Log', { x: f32((await run('Sigmoid', { x: f32([-18]) }, ['float32']))[0]) }, ['float32']);
  const [[softplus]] = await run('Softplus', { x: f32([18]) }, ['float32'], {}, 22);
  console.log('log of sigmoid of -18:', log, 'by softplus:', -softplus);
})();
PROGRAM
node main.cjs "$here/onnx.cjs" | tee out
diff out - <<'OUT'
-10 4.5e-5 should be 4.5e-5
-15 3.6e-7 should be 3.1e-7
-17 8.9e-8 should be 4.1e-8
-18 0.0e+0 should be 1.5e-8
-30 0.0e+0 should be 9.4e-14
log of sigmoid of -18: -Infinity by softplus: -18
OUT
echo 'as found: sigmoid is 0 from -18 on'
