#!/usr/bin/env bash
# ndarray-fft: the forward transform has the sign of the inverse one.
#
# A forward transform has exp(-2 pi i k n / N): of 0, 1, 0, 0 its second element is -i. ndarray-fft with direction 1 gives i, without a division by N; direction
# -1 has the other sign, and divides. One after the other they give back what was there, so that this isn't seen until a spectrum is compared, or filtered with
# a phase.
# Seen in ndarray-fft 1.0.3 and fft.js 4.0.4 of npm.
source "$(dirname "$0")/npm.bash"
need ndarray@1.1.1 ndarray-fft@1.0.3 fft.js@4.0.4
cat >main.cjs <<'PROGRAM'
const ndarray = require('ndarray'), fft = require('ndarray-fft'), FFT = require('fft.js');
const re = ndarray(new Float64Array([0, 1, 0, 0])), im = ndarray(new Float64Array(4));
fft(1, re, im);
console.log('ndarray-fft', Math.round(re.get(1)), Math.round(im.get(1)));
const other = new FFT(4), spectrum = other.createComplexArray();
other.transform(spectrum, other.toComplexArray([0, 1, 0, 0]));
console.log('fft.js', Math.round(spectrum[2]), Math.round(spectrum[3]));
fft(-1, re, im);
console.log('back', [...re.data].map(Math.round).join());
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
ndarray-fft 0 1
fft.js 0 -1
back 0,1,0,0
OUT
echo 'as found: the spectrum is the conjugate one'
