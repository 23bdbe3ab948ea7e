#!/usr/bin/env bash
# node-wav: silence in 8 bits comes back as -0.008.
#
# Samples of 8 bits have no sign, and 128 is silence. The encoder writes 127 for 0, and what is between -1 and 1 on 0 to 255 around it; the decoder takes 128
# for 0. A file written and read has an offset: silence is one step too low, as one hears where it begins and ends. 16 bits and more are right.
# Seen in node-wav 0.0.2 of npm.
source "$(dirname "$0")/npm.bash"
need node-wav@0.0.2
cat >main.cjs <<'PROGRAM'
const { encode, decode } = require('node-wav');
const samples = [0, 0.25, -0.25, 1, -1];
for (const bitDepth of [8, 16]) {
  const file = encode([Float32Array.from(samples)], { sampleRate: 8000, bitDepth });
  console.log(bitDepth, 'bits', file.subarray(44).toString('hex'), Array.from(decode(Uint8Array.from(file).buffer).channelData[0]).map(x => x.toFixed(4)).join(' '));
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
8 bits 7f9f5fff00 -0.0078 0.2441 -0.2578 1.0000 -1.0000
16 bits 0000ff1f00e0ff7f0080 0.0000 0.2500 -0.2500 1.0000 -1.0000
OUT
echo 'as found: silence is an offset'
