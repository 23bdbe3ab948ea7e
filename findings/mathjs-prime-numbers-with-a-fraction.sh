#!/usr/bin/env bash
# mathjs: 2.5 is a prime number.
#
# So are 1.5, 3.7 and 9.1. A prime is a natural number. Whole numbers are tried as divisors, and a number with a fraction has none of these. -7 isn't prime.
# Seen in mathjs 15.2.0 of npm.
source "$(dirname "$0")/npm.bash"
need mathjs@15.2.0
cat >main.cjs <<'PROGRAM'
const math = require('mathjs');
for (const x of [-7, 1.5, 2, 2.5, 3.7, 4, 4.5, 9.1, 7]) console.log(x, math.isPrime(x));
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
-7 false
1.5 true
2 true
2.5 true
3.7 true
4 false
4.5 true
9.1 true
7 true
OUT
echo 'as found: 2.5 is prime'
