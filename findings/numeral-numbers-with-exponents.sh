#!/usr/bin/env bash
# numeral: 1e-7 with two decimals is NaN, and the text "1e3" is 13.
#
# Numbers that JavaScript writes with an exponent, those below 1e-6 and from 1e21 on, are taken apart at a point that isn't there; with a format for exponents
# they are right. Of a text the digits are taken, whatever stands between them.
# Seen in numeral 2.0.6 of npm.
source "$(dirname "$0")/npm.bash"
need numeral@2.0.6
cat >main.cjs <<'PROGRAM'
const numeral = require('numeral');
for (const x of [1e-6, 1e-7, -1e-7, 1e20, 1e21]) console.log(x, numeral(x).format('0.00'), numeral(x).format('0.0e+0'));
for (const s of ['1e3', '2.5e3', '1000']) console.log(s, numeral(s).value());
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
0.000001 0.00 1.0e-6
1e-7 NaN 1.0e-7
-1e-7 NaN -1.0e-7
100000000000000000000 100000000000000000000.00 1.0e+20
1e+21 NaN 1.0e+21
1e3 13
2.5e3 2.53
1000 1000
OUT
echo 'as found: 1e-7 is not a number'
