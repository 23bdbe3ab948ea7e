#!/usr/bin/env bash
# science.js: the length of the vector 0, 0 is not a number.
#
# science.hypot scales by the larger number so that nothing overflows, and divides 0 by 0. Math.hypot of JavaScript gives 0. Of two infinities it makes NaN too.
# Seen in science 1.9.3 of npm.
source "$(dirname "$0")/npm.bash"
need science@1.9.3
cat >main.cjs <<'PROGRAM'
const science = require('science');
for (const [x, y] of [[3, 4], [0, 4], [0, 0], [Infinity, 1], [Infinity, Infinity]]) console.log(x, y, science.hypot(x, y), Math.hypot(x, y));
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
3 4 5 5
0 4 4 4
0 0 NaN 0
Infinity 1 Infinity Infinity
Infinity Infinity NaN Infinity
OUT
echo 'as found: zero has no length'
