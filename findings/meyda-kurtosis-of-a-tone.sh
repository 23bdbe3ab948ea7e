#!/usr/bin/env bash
# Meyda: the spectral kurtosis of a tone is far below zero.
#
# A kurtosis is a fourth moment, which isn't negative, over the square of a variance, and 1 at least; less 3, it is -2 at least. For a sine it is -60323, and
# without a window function -6e9. Of the fourth moment about the mean, expressed by moments about zero, one factor is missing: 6 m1 m2 stands there in place of
# 6 m1^2 m2.
# Seen in meyda 5.6.3 of npm.
source "$(dirname "$0")/npm.bash"
need meyda@5.6.3
cat >main.cjs <<'PROGRAM'
const Meyda = require('meyda');
Meyda.bufferSize = 512;
Meyda.sampleRate = 44100;
const tone = Float32Array.from({ length: 512 }, (_, i) => Math.sin((2 * Math.PI * 8 * i) / 512));
console.log('kurtosis', Math.round(Meyda.extract('spectralKurtosis', tone)));
Meyda.windowingFunction = 'rect';
console.log('without a window', Meyda.extract('spectralKurtosis', tone).toPrecision(2));
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
kurtosis -60323
without a window -6.0e+9
OUT
echo 'as found: a kurtosis far below zero'
