#!/usr/bin/env bash
# numjs: NaN is printed as 0, and tanh of 1000 is NaN.
#
# toString of an array rounds numbers to five decimals, and writes 0 for NaN, so that what has gone wrong looks like zeros; tolist has the NaN. tanh is a
# quotient of exponentials, infinity over infinity for large numbers, while that of -1000 is -1; together, tanh of 1000 prints as 0.
# Seen in @d4c/numjs 0.17.35 of npm, the continuation of numjs.
source "$(dirname "$0")/npm.bash"
need @d4c/numjs@0.17.35
cat >main.cjs <<'PROGRAM'
const numjs = require('@d4c/numjs');
const nj = numjs.default || numjs;
console.log(nj.array([1.5, NaN, 2]).toString(), nj.array([1.5, NaN, 2]).tolist());
const y = nj.tanh(nj.array([-1000, 1, 1000]));
console.log(y.toString(), y.tolist());
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
array([1.5, 0, 2]) [ 1.5, NaN, 2 ]
array([      -1, 0.76159,       0]) [ -1, 0.7615941559557649, NaN ]
OUT
echo 'as found: tanh of 1000 is printed as 0'
