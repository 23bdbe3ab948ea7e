#!/usr/bin/env bash
# float80: 2^64 - 1 as an extended float is 18446744073709551614.985429, and π has six decimals.
#
# The library is there because a number of JavaScript is too short for the 64 bits of a long double, and gives a decimal number of any length. One would expect
# 18446744073709551615 of a fraction of 64 ones with the exponent 63. Seen: the fraction is divided by 2^63 first, with the 20 decimals that are bignumber.js's
# default, and what was rounded there is multiplied by 2^63. Numbers below 1e-6 are 0 as text.
# Seen in float80 1.1.0 of npm.
source "$(dirname "$0")/npm.bash"
need float80@1.1.0
cat >main.cjs <<'PROGRAM'
const { Float80 } = require('float80');
const list = { '2^64 - 1': '403effffffffffffffff', '2^63 + 1': '403e8000000000000001', '2^63': '403e8000000000000000', pi: '4000c90fdaa22168c235', '2^-30': '3fe18000000000000000' };
for (const [what, hex] of Object.entries(list))
  console.log(what, Float80.fromBytes([...Buffer.from(hex, 'hex')]).toString());
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
2^64 - 1 18446744073709551614.985429
2^63 + 1 9223372036854775809.014571
2^63 9223372036854775808
pi 3.141593
2^-30 0
OUT
echo 'as found: an integer has decimals'
