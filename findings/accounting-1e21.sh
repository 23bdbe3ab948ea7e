#!/usr/bin/env bash
# accounting: 1e21 is formatted as 1, and as money 1e22 is $1.undefined.
#
# formatNumber takes the digits that JavaScript writes up to the exponent. formatMoney, which has two decimals, has sixteen right digits of 1e21, and of more
# it takes what stands in front of a point and behind it, where there is one.
# Seen in accounting 0.4.1 of npm.
source "$(dirname "$0")/npm.bash"
need accounting@0.4.1
cat >main.cjs <<'PROGRAM'
const accounting = require('accounting');
for (const x of [1e20, 1e21, 1e22, 1.5e22]) console.log(x, accounting.formatNumber(x), accounting.formatMoney(x), accounting.toFixed(x, 0).length, 'digits');
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
100000000000000000000 100,000,000,000,000,000,000 $100,000,000,000,000,000,000.00 21 digits
1e+21 1 $999,999,999,999,999,900,000.00 5 digits
1e+22 1 $1.undefined 5 digits
1.5e+22 1 $1.5e+22 7 digits
OUT
echo 'as found: 1e21 is 1'
