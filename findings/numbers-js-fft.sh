#!/usr/bin/env bash
# numbers of npm: the Fourier transform of 1, 2, 3 and 4 is 10, 4-6i, 10, 4-6i.
#
# It is 10, -2+2i, -2, -2-2i. The sum of the even places and the turned odd ones is used for both halves of the spectrum, where the second half has their
# difference. So the upper half is a copy of the lower one, and only spectra that are the same in both halves are right, as that of an impulse at the first
# place.
# Seen in numbers 0.7.0 of npm.
source "$(dirname "$0")/npm.bash"
need numbers@0.7.0
cat >main.cjs <<'PROGRAM'
const { dsp } = require('numbers');
for (const list of [[1, 0, 0, 0], [1, 2], [1, 1, 1, 1], [1, 2, 3, 4]]) {
  const exact = list.map((_, k) => [Math.cos, Math.sin].map((f, i) => list.reduce((a, x, n) => a + (i ? -x : x) * f(2 * Math.PI * k * n / list.length), 0)));
  console.log(list.join(), 'numbers:', dsp.fft(list).map(z => `${(z.re + 1e-9).toFixed(0)} ${(z.im + 1e-9).toFixed(0)}i`).join(), 'by definition:', exact.map(z => `${(z[0] + 1e-9).toFixed(0)} ${(z[1] + 1e-9).toFixed(0)}i`).join());
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
1,0,0,0 numbers: 1 0i,1 0i,1 0i,1 0i by definition: 1 0i,1 0i,1 0i,1 0i
1,2 numbers: 3 0i,3 0i by definition: 3 0i,-1 0i
1,1,1,1 numbers: 4 0i,2 -2i,4 0i,2 -2i by definition: 4 0i,0 0i,0 0i,0 0i
1,2,3,4 numbers: 10 0i,4 -6i,10 0i,4 -6i by definition: 10 0i,-2 2i,-2 0i,-2 -2i
OUT
echo 'as found: the spectrum of a constant is no single line'
