#!/usr/bin/env bash
# node-wav and wav-decoder: the lowest sample of 24 bits is read as the highest one.
#
# Three bytes have to be given a sign by hand, and both ask whether the number is larger than 0x800000, and not whether it is that. -8388608 becomes +1.0000001
# where its neighbour is -0.9999999: a click through the whole range at each place where a recording touches its lower limit. 16 and 32 bits are right.
# Seen in node-wav 0.0.2 and wav-decoder 1.3.0 of npm; wavefile 11.0.0 writes the file, and reads it right.
source "$(dirname "$0")/npm.bash"
need node-wav@0.0.2 wav-decoder@1.3.0 wavefile@11.0.0
cat >main.cjs <<'PROGRAM'
const { WaveFile } = require('wavefile'), nodeWav = require('node-wav'), wavDecoder = require('wav-decoder');
const wave = new WaveFile();
wave.fromScratch(1, 8000, '24', [8388607, 0, -8388607, -8388608]);
const file = wave.toBuffer(), array = file.buffer.slice(file.byteOffset, file.byteOffset + file.length);
const show = list => Array.from(list).map(x => x.toFixed(7)).join(' ');
console.log('wavefile', new WaveFile(file).getSamples().join(' '));
console.log('node-wav', show(nodeWav.decode(array).channelData[0]));
console.log('wav-decoder', show(wavDecoder.decode.sync(array).channelData[0]));
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
wavefile 8388607 0 -8388607 -8388608
node-wav 1.0000000 0.0000000 -0.9999999 1.0000001
wav-decoder 1.0000000 0.0000000 -0.9999999 1.0000001
OUT
echo 'as found: the lowest sample is above the highest'
