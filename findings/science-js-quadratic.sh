#!/usr/bin/env bash
# science.js: the roots of x^2 - 3x + 2 are 2.5 and 3.5.
#
# They are 1 and 2: the fraction is taken of the square root alone, and not of the sum, for real and for complex roots. Only where b is 0 or there is one root
# is the result right. For x^2 + 2x + 5 both roots have the real part -1, and here -2.
# Seen in science 1.9.3 of npm.
source "$(dirname "$0")/npm.bash"
need science@1.9.3
cat >main.cjs <<'PROGRAM'
const science = require('science');
const real = science.quadratic(), complex = science.quadratic().complex(true);
for (const p of [[1, 0, -4], [1, -3, 2], [1, 2, 1], [2, -6, 4]]) console.log(p.join(), '->', real(...p).join());
console.log('1,2,5 ->', complex(1, 2, 5).map(x => `${x.r} ${x.i}i`).join());
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
1,0,-4 -> -2,2
1,-3,2 -> 2.5,3.5
1,2,1 -> -1
2,-6,4 -> 5.5,6.5
1,2,5 -> -2 -2i,-2 2i
OUT
echo 'as found: 1 and 2 are no roots of (x - 1)(x - 2)'
