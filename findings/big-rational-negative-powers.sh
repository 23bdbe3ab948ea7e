#!/usr/bin/env bash
# big-rational: 2 to the power of -2 is 0, and that of a half is undefined.
#
# pow raises numerator and denominator to the exponent as integers, and of integers beyond 1 such powers are 0. The powers are 1/4 and 4. With a half the
# denominator is 0, of which the constructor makes undefined, and in a later step an error.
# Seen in big-rational 0.10.9 of npm.
source "$(dirname "$0")/npm.bash"
need big-rational@0.10.9
cat >main.cjs <<'PROGRAM'
const rational = require('big-rational');
for (const [x, n] of [['2', 2], ['2', -2], ['1', -2], ['1/2', -2], ['2/3', -1]]) {
  try { console.log(x, n, rational(x).pow(n).toString()); } catch (e) { console.log(x, n, e.message); }
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
2 2 4/1
2 -2 0/1
1 -2 1/1
1/2 -2 undefined
2/3 -1 Division by zero
OUT
echo 'as found: a quarter is 0'
