#!/usr/bin/env bash
# mathjs: coth of 1000 is NaN, and coth of -1000 is -1.
#
# It is 1 beyond 19, to the last bit. From 355 on it is a quotient of two infinities, and for negative numbers one of two that are 1. tanh and sech of the
# same numbers are right, and coth of a BigNumber is.
# Seen in mathjs 15.2.0 of npm.
source "$(dirname "$0")/npm.bash"
need mathjs@15.2.0
cat >main.cjs <<'PROGRAM'
const math = require('mathjs');
for (const x of [20, 354, 356, 1000, -1000]) console.log(x, 'coth', math.coth(x), 'tanh', math.tanh(x), '1 / tanh', 1 / math.tanh(x), 'sech', math.sech(x).toExponential(2));
console.log('BigNumber', math.coth(math.bignumber(1000)).toString());
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
20 coth 1 tanh 1 1 / tanh 1 sech 4.12e-9
354 coth 1 tanh 1 1 / tanh 1 sech 3.64e-154
356 coth NaN tanh 1 1 / tanh 1 sech 4.92e-155
1000 coth NaN tanh 1 1 / tanh 1 sech 0.00e+0
-1000 coth -1 tanh -1 1 / tanh -1 sech 0.00e+0
BigNumber 1
OUT
echo 'as found: coth of 1000 is not a number'
