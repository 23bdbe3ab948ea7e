#!/usr/bin/env bash
# interval-arithmetic: 5 to 6 modulo 2 to 3 is 2 to 4, and holds neither 5 modulo 2 nor 6 modulo 3.
#
# They are 1 and 0, and no remainder of a division by 3 or less is above 3. One quotient, that of the lower end, is taken for all. Of 5 modulo 2 and 6 modulo
# 4, as intervals of one number each, it is right.
# Seen in interval-arithmetic 1.1.3 of npm.
source "$(dirname "$0")/npm.bash"
need interval-arithmetic@1.1.3
cat >main.cjs <<'PROGRAM'
const { Interval, fmod, hasValue } = require('interval-arithmetic');
for (const [x, y] of [[[5, 5], [2, 2]], [[5, 6], [4, 4]], [[5, 6], [2, 3]], [[7, 8], [3, 4]]]) {
  const z = fmod(new Interval(...x), new Interval(...y));
  console.log(`[${x}] mod [${y}]`, z.lo.toFixed(6), z.hi.toFixed(6), `holds ${x[0]} mod ${y[0]} = ${x[0] % y[0]}:`, hasValue(z, x[0] % y[0]), `holds ${x[1]} mod ${y[1]} = ${x[1] % y[1]}:`, hasValue(z, x[1] % y[1]));
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
[5,5] mod [2,2] 1.000000 1.000000 holds 5 mod 2 = 1: true holds 5 mod 2 = 1: true
[5,6] mod [4,4] 1.000000 2.000000 holds 5 mod 4 = 1: true holds 6 mod 4 = 2: true
[5,6] mod [2,3] 2.000000 4.000000 holds 5 mod 2 = 1: false holds 6 mod 3 = 0: false
[7,8] mod [3,4] 3.000000 5.000000 holds 7 mod 3 = 1: false holds 8 mod 4 = 0: false
OUT
echo 'as found: the remainders are outside of the interval'
