#!/usr/bin/env bash
# interval-arithmetic: the cube of the interval from -2 to 3 doesn't hold -8, the cube of -2.
#
# Results are rounded outwards, so that they hold all values: that is what the package is for. Of an odd power of an interval with zero inside, the lower end is
# rounded towards zero, to -7.999999999999998. That of -3 to -2 is right, and so are even powers.
# Seen in interval-arithmetic 1.1.3 of npm.
source "$(dirname "$0")/npm.bash"
need interval-arithmetic@1.1.3
cat >main.cjs <<'PROGRAM'
const { Interval, pow, hasValue } = require('interval-arithmetic');
for (const [lo, hi, n] of [[-3, -2, 3], [-2, 3, 2], [-2, 3, 3], [-10, 1, 5]]) {
  const y = pow(new Interval(lo, hi), n);
  console.log(`[${lo}, ${hi}]^${n}`, y.lo, y.hi, 'holds', lo ** n, hasValue(y, lo ** n));
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
[-3, -2]^3 -27.00000000000001 -7.999999999999998 holds -27 true
[-2, 3]^2 0 9.000000000000004 holds 4 true
[-2, 3]^3 -7.999999999999998 27.00000000000001 holds -8 false
[-10, 1]^5 -99999.99999999993 1.0000000000000009 holds -100000 false
OUT
echo 'as found: -8 is outside of the cubes'
