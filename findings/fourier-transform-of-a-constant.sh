#!/usr/bin/env bash
# fourier-transform: a cosine of amplitude 1 has the magnitude 1, but for the one of frequency 0, which has 2.
#
# The documentation has 1 for a cosine at bin k, and a constant is the one at bin 0. Its line isn't split in two halves, and is doubled all the same, so that
# the mean of a signal is twice what it is. The highest frequency, 1, -1, 1, -1, is in none of the N / 2 bins: its magnitudes are all 0.
# Seen in fourier-transform 2.5.0 of npm.
source "$(dirname "$0")/npm.bash"
need fourier-transform@2.5.0
cat >main.mjs <<'PROGRAM'
import spectrum from 'fourier-transform';
for (let k = 0; k <= 4; k++) console.log('bin', k, Array.from(spectrum(Array.from({ length: 8 }, (_, n) => Math.cos(2 * Math.PI * k * n / 8))), x => x.toFixed(2)).join());
PROGRAM
node main.mjs | tee out
diff out - <<'OUT'
bin 0 2.00,0.00,0.00,0.00
bin 1 0.00,1.00,0.00,0.00
bin 2 0.00,0.00,1.00,0.00
bin 3 0.00,0.00,0.00,1.00
bin 4 0.00,0.00,0.00,0.00
OUT
echo 'as found: the constant counts twice, and the highest frequency not at all'
