#!/usr/bin/env bash
# Apache Arrow for JavaScript: the Float16 of 100000 is 3.05, and that of 1e-8 is minus infinity.
#
# Beyond the largest number of 16 bits there is infinity, and below half of the smallest one there is zero. Up to 65535 and down to 2e-8 that is so. Then the
# exponent wraps around: 65536 becomes 2, 1e-8 minus infinity, 5e-9 NaN, and 1e-20 0.00002.
# Seen in apache-arrow 21.2.0 of npm.
source "$(dirname "$0")/npm.bash"
need apache-arrow@21.2.0
cat >main.cjs <<'PROGRAM'
const arrow = require('apache-arrow');
for (const x of [65504, 65535, 65536, 100000, 6e-8, 2e-8, 1e-8, 5e-9, 1e-20]) {
  console.log(x, arrow.vectorFromArray([x], new arrow.Float16()).get(0));
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
65504 65504
65535 Infinity
65536 2
100000 3.05078125
6e-8 5.960464477539063e-8
2e-8 0
1e-8 -Infinity
5e-9 NaN
1e-20 0.00001919269561767578
OUT
echo 'as found: 100000 is stored as 3.05'
