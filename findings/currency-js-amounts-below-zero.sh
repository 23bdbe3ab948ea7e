#!/usr/bin/env bash
# currency.js: 1.005 is 1.01, and -1.005 is -1.
#
# A half is rounded up, also below zero. What is paid and what is paid back differ by a cent, and a tenth of 10.05 and its negation do so, too.
# Seen in currency.js 2.0.4 of npm.
source "$(dirname "$0")/npm.bash"
need currency.js@2.0.4
cat >main.cjs <<'PROGRAM'
const currency = require('currency.js');
for (const x of [1.005, 0.125, 2.5, 2.506]) console.log(x, currency(x).value, -x, currency(-x).value, 'sum', currency(x).add(currency(-x)).value);
console.log(currency(10.05).multiply(0.1).value, currency(10.05).multiply(-0.1).value);
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
1.005 1.01 -1.005 -1 sum 0.01
0.125 0.13 -0.125 -0.12 sum 0.01
2.5 2.5 -2.5 -2.5 sum 0
2.506 2.51 -2.506 -2.51 sum 0
1.01 -1
OUT
echo 'as found: 1.005 and -1.005 make a cent'
