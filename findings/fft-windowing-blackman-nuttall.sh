#!/usr/bin/env bash
# fft-windowing: the Blackman-Nuttall window is 0.126 at its ends and 0.87 in its middle.
#
# Its four coefficients add up to 1, so that it is 1 in the middle, and 0.00036 at the ends: 0.3635819, 0.4891775, 0.1365995, 0.0106411. Here the second is the
# same as the first, and the window neither falls off nor has the low side lobes that it is chosen for. The nuttall and blackman_harris windows are right.
# Seen in fft-windowing 0.1.4 of npm.
source "$(dirname "$0")/npm.bash"
need fft-windowing@0.1.4
cat >main.cjs <<'PROGRAM'
const windows = require('fft-windowing');
for (const name of ['nuttall', 'blackman_harris', 'blackman_nuttall']) console.log(name, windows[name](Array(7).fill(1)).map(x => x.toFixed(4)).join());
const [a, b, c, d] = [0.3635819, 0.4891775, 0.1365995, 0.0106411];
console.log('by definition', Array.from({ length: 7 }, (_, i) => i * Math.PI / 3).map(x => (a - b * Math.cos(x) + c * Math.cos(2 * x) - d * Math.cos(3 * x)).toFixed(4)).join());
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
nuttall -0.0000,0.0526,0.5147,1.0000,0.5147,0.0526,-0.0000
blackman_harris 0.0001,0.0556,0.5206,1.0000,0.5206,0.0556,0.0001
blackman_nuttall 0.1260,0.1241,0.4664,0.8744,0.4664,0.1241,0.1260
by definition 0.0004,0.0613,0.5292,1.0000,0.5292,0.0613,0.0004
OUT
echo 'as found: the ends are as high as its neighbours'
