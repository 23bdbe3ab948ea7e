#!/usr/bin/env bash
# float16 of npm: 100000 becomes NaN, and 3000000000 a number of 42 bits.
#
# What is larger than 65504 has no place in 16 bits, and is infinity by IEEE 754. float16ToByte gives infinity up to 65536; beyond that it writes a mantissa
# beside the exponent of infinity, which makes a NaN. From 2^31 on its integers wrap around, and what it returns has more than 16 bits.
# Seen in float16 0.0.1 of npm.
source "$(dirname "$0")/npm.bash"
need float16@0.0.1
cat >main.cjs <<'PROGRAM'
const { float16ToByte, byteToFloat16 } = require('float16');
for (const x of [65504, 65535, 65536, 100000, -100000, 3000000000]) {
  const bits = float16ToByte(x);
  console.log(x, bits.toString(16), byteToFloat16(bits));
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
65504 7bff 65504
65535 7c00 Infinity
65536 7c00 Infinity
100000 7e1b NaN
-100000 fe1b NaN
3000000000 2cb41783800 0.5
OUT
echo 'as found: 100000 is not a number'
