#!/usr/bin/env bash
# Fili: a FIR band-stop filter doubles what it should stop, or lets nothing else through.
#
# Of an even order the one from 100 to 200 Hz has gain 1 outside the band and 2 inside. Of an odd order, where no coefficient is in the middle to add 1 to, it
# has gain 1 inside and 0 outside: it is the band-pass. For the same reason a high-pass of odd order is the low-pass with another sign. Orders aren't limited
# by the library; its low-pass, band-pass and high-pass of even order are right.
# Seen in fili 2.0.3 of npm.
source "$(dirname "$0")/npm.bash"
need fili@2.0.3
cat >main.cjs <<'PROGRAM'
const { FirCoeffs } = require('fili');
const coefficients = new FirCoeffs(), Fs = 1000;
function gain(filter, f) {
  let re = 0, im = 0;
  filter.forEach((c, k) => { re += c * Math.cos(2 * Math.PI * f / Fs * k); im -= c * Math.sin(2 * Math.PI * f / Fs * k); });
  return Math.hypot(re, im).toFixed(1);
}
for (const order of [100, 101]) {
  for (const [kind, edges] of [['lowpass', { Fc: 100 }], ['highpass', { Fc: 100 }], ['bandpass', { F1: 100, F2: 200 }], ['bandstop', { F1: 100, F2: 200 }]]) {
    const filter = coefficients[kind]({ order, Fs, ...edges });
    console.log(order, kind, [0, 50, 150, 300, 450].map(f => f + ' Hz: ' + gain(filter, f)).join(', '));
  }
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
100 lowpass 0 Hz: 1.0, 50 Hz: 1.0, 150 Hz: 0.0, 300 Hz: 0.0, 450 Hz: 0.0
100 highpass 0 Hz: 0.0, 50 Hz: 0.0, 150 Hz: 1.0, 300 Hz: 1.0, 450 Hz: 1.0
100 bandpass 0 Hz: 0.0, 50 Hz: 0.0, 150 Hz: 1.0, 300 Hz: 0.0, 450 Hz: 0.0
100 bandstop 0 Hz: 1.0, 50 Hz: 1.0, 150 Hz: 2.0, 300 Hz: 1.0, 450 Hz: 1.0
101 lowpass 0 Hz: 1.0, 50 Hz: 1.0, 150 Hz: 0.0, 300 Hz: 0.0, 450 Hz: 0.0
101 highpass 0 Hz: 1.0, 50 Hz: 1.0, 150 Hz: 0.0, 300 Hz: 0.0, 450 Hz: 0.0
101 bandpass 0 Hz: 0.0, 50 Hz: 0.0, 150 Hz: 1.0, 300 Hz: 0.0, 450 Hz: 0.0
101 bandstop 0 Hz: 0.0, 50 Hz: 0.0, 150 Hz: 1.0, 300 Hz: 0.0, 450 Hz: 0.0
OUT
echo 'as found: what should be stopped is doubled'
