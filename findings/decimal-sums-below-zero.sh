#!/usr/bin/env bash
# decimal of npm: 0.05 - 0.1 is "0.-5".
#
# The point is put into the digits of an integer, and the minus sign is counted as one. It is so for all results between -0.1 and 0, and in general where zeros
# have to be put in front: -0.5 is "-.5", and -0.001 "0.0-1". As a number of JavaScript the text is NaN.
# Seen in decimal 0.0.2 of npm.
source "$(dirname "$0")/npm.bash"
need decimal@0.0.2
cat >main.cjs <<'PROGRAM'
const Decimal = require('decimal');
for (const [a, b] of [['0.5', '0.1'], ['0.1', '0.6'], ['0.05', '0.1'], ['0.001', '0.002'], ['1.05', '1.06']]) {
  const difference = Decimal(a).sub(b).toString();
  console.log(a, '-', b, 'is', difference, Number(difference));
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
0.5 - 0.1 is 0.4 0.4
0.1 - 0.6 is -.5 -0.5
0.05 - 0.1 is 0.-5 NaN
0.001 - 0.002 is 0.0-1 NaN
1.05 - 1.06 is 0.-1 NaN
OUT
echo 'as found: 0.-5'
