#!/usr/bin/env bash
# fft-windowing: the Lanczos window of an odd length has NaN in its middle, where it is 1.
#
# The window is the sinc function, whose value at 0 is 1; as a quotient it is 0 / 0. A window of an even length has no such point. One NaN is enough for a
# spectrum of nothing but NaN.
# Seen in fft-windowing 0.1.4 of npm.
source "$(dirname "$0")/npm.bash"
need fft-windowing@0.1.4
cat >main.cjs <<'PROGRAM'
const { lanczos, hann } = require('fft-windowing');
for (const n of [4, 5]) console.log(n, lanczos(Array(n).fill(1)).map(x => x.toFixed(2)).join(), hann(Array(n).fill(1)).map(x => x.toFixed(2)).join());
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
4 0.00,0.83,0.83,0.00 0.00,0.75,0.75,0.00
5 0.00,0.64,NaN,0.64,0.00 0.00,0.50,1.00,0.50,0.00
OUT
echo 'as found: the largest value of the window is NaN'
