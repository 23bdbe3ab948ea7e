#!/usr/bin/env bash
# node-wav: whether a file is decoded depends on where in memory its bytes lie.
#
# Small Buffers of Node.js lie in a common block. The decoder begins at the offset in the block and stops where the length of the Buffer alone is, so that a
# file at offset 1000 seems to be at its end: the result is undefined, without an error. At offset 20 all is there, since only the beginnings of the parts of
# the file are compared.
# Seen in node-wav 0.0.2 of npm.
source "$(dirname "$0")/npm.bash"
need node-wav@0.0.2
cat >main.cjs <<'PROGRAM'
const { encode, decode } = require('node-wav');
const file = encode([new Float32Array(50).fill(0.5)], { sampleRate: 8000, bitDepth: 16 });
for (const offset of [0, 20, 1000]) {
  const memory = new Uint8Array(2000);
  memory.set(file, offset);
  const decoded = decode(Buffer.from(memory.buffer, offset, file.length));
  console.log('at', offset, decoded && decoded.channelData[0].length + ' samples');
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
at 0 50 samples
at 20 50 samples
at 1000 undefined
OUT
echo 'as found: a file at offset 1000 is none'
