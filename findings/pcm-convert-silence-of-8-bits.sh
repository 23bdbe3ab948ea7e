#!/usr/bin/env bash
# pcm-convert: silence of 8 bits with a sign becomes 128 in 16 bits.
#
# 0, 127 and -128 are stretched onto the whole range of the larger type, so that the highest sample stays the highest one, and 0 isn't 0 any more: silence has a
# direct current. Into floats, and from floats to 16 bits, 0 stays 0.
# Seen in pcm-convert 3.3.0 of npm.
source "$(dirname "$0")/npm.bash"
need pcm-convert@3.3.0
cat >main.mjs <<'PROGRAM'
import convert from 'pcm-convert';
const tell = (samples, from, to) => console.log(from, Array.from(samples).join(), '->', to, Array.from(convert(samples, from, to)).join());
tell(new Int8Array([0, 1, 127, -128]), 'int8', 'int16');
tell(new Int8Array([0, 1, 127, -128]), 'int8', 'float32');
tell(new Float32Array([0, 0.5, -1]), 'float32', 'int16');
PROGRAM
node main.mjs | tee out
diff out - <<'OUT'
int8 0,1,127,-128 -> int16 128,385,32767,-32768
int8 0,1,127,-128 -> float32 0,0.0078125,0.9921875,-1
float32 0,0.5,-1 -> int16 0,16384,-32768
OUT
echo 'as found: 0 is 128'
