#!/usr/bin/env bash
# Apache Arrow for JavaScript: the Float16 of 2047.5 is 1024.
#
# 2047.5 lies in the middle between 2047 and 2048, and is rounded to 2048, the even one. Where rounding carries into the exponent, it is added by an "or": every
# second power of two is missed, and half of it is stored. So 1.9998 is 1, 0.49999 is 0.25 and 8191 is 4096, while 3.9998 is 4 and 4095 is 4096, as they should
# be.
# Seen in apache-arrow 21.2.0 of npm.
source "$(dirname "$0")/npm.bash"
need apache-arrow@21.2.0
cat >main.cjs <<'PROGRAM'
const arrow = require('apache-arrow');
for (const x of [2047, 2047.5, 4095, 8191, 0.49999, 1.9998, 3.9998]) {
  console.log(x, arrow.vectorFromArray([x], new arrow.Float16()).get(0));
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
2047 2047
2047.5 1024
4095 4096
8191 4096
0.49999 0.25
1.9998 1
3.9998 4
OUT
echo 'as found: a number that is rounded up to a power of two is stored as half of it'
