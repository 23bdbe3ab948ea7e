#!/usr/bin/env bash
# fraction.js: the fraction of the number 1e-8 is 0.
#
# A number in double precision becomes the nearest fraction whose denominator is 10000000 at most. 1e-7 is 1/10000000, and 1e-8 nothing; 1 + 1e-8 is 1. A
# string of digits is exact, but not "1e-8", which is no argument. String(1e-8) is just that, so the way through strings, which is recommended for large
# numbers, fails for small ones.
# Seen in fraction.js 5.3.4 of npm.
source "$(dirname "$0")/npm.bash"
need fraction.js@5.3.4
cat >main.cjs <<'PROGRAM'
const { Fraction } = require('fraction.js');
for (const x of [1e-6, 1e-7, 1e-8, 1 + 1e-8, '0.00000001', String(1e-8)]) {
  try {
    console.log(typeof x, x, 'is', new Fraction(x).toFraction());
  } catch (error) {
    console.log(typeof x, x, error.message);
  }
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
number 0.000001 is 1/1000000
number 1e-7 is 1/10000000
number 1e-8 is 0
number 1.00000001 is 1
string 0.00000001 is 1/100000000
string 1e-8 Invalid argument
OUT
echo 'as found: 1e-8 is 0'
