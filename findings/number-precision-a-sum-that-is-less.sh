#!/usr/bin/env bash
# number-precision: 123456789012 + 0.00000001 is 123456789011.99998.
#
# The package is for exact sums: it makes integers of both numbers by the larger count of decimals, adds these and divides. Beyond 2^53 the integers are
# rounded, and the sum comes out below the larger of two positive numbers, by 2000 times the smaller one. JavaScript's own + gives the nearest number. There
# is a warning on the console, and no error.
# Seen in number-precision 1.6.0 of npm.
source "$(dirname "$0")/npm.bash"
need number-precision@1.6.0
cat >main.cjs <<'PROGRAM'
const NP = require('number-precision');
console.warn = text => console.log('warning:', text);
console.log(NP.plus(0.1, 0.2), 0.1 + 0.2);
console.log(NP.plus(123456789012, 0.00000001), 123456789012 + 0.00000001);
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
0.3 0.30000000000000004
warning: 12345678901200000000 is beyond boundary when transfer to integer, the results may not be accurate
123456789011.99998 123456789012
OUT
echo 'as found: a sum of positive numbers is less than one of them'
