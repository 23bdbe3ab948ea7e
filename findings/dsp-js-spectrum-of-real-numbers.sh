#!/usr/bin/env bash
# dsp.js: the spectrum of the transform for real numbers has its lines one place too low.
#
# A sine with two periods in eight samples has its line at place 2, where FFT of the same library has it. RFFT has it at place 1; what belongs to half the
# sampling rate, which FFT leaves out, is at the last place, and the amplitude at place 1 has gone. The transform itself, trans, is right.
# Seen in dsp.js 1.0.1 of npm.
source "$(dirname "$0")/npm.bash"
need dsp.js@1.0.1
cat >main.cjs <<'PROGRAM'
const { FFT, RFFT } = require('dsp.js');
const signals = { 'two periods': k => Math.sin(2 * Math.PI * 2 * k / 8), 'one period': k => Math.sin(2 * Math.PI * k / 8), alternating: k => k % 2 ? -1 : 1 };
for (const [name, f] of Object.entries(signals)) {
  const signal = Array.from({ length: 8 }, (_, k) => f(k));
  const all = new FFT(8, 8), real = new RFFT(8, 8);
  all.forward(signal);
  real.forward(signal);
  const show = list => Array.from(list).map(x => x.toFixed(2)).join(' ');
  console.log(`${name}: FFT ${show(all.spectrum)}, RFFT ${show(real.spectrum)}`);
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
two periods: FFT 0.00 0.00 1.00 0.00, RFFT 0.00 1.00 0.00 0.00
one period: FFT 0.00 1.00 0.00 0.00, RFFT 0.00 0.00 0.00 0.00
alternating: FFT 0.00 0.00 0.00 0.00, RFFT 0.00 0.00 0.00 2.00
OUT
echo 'as found: two periods are told as one'
