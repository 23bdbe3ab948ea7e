#!/usr/bin/env bash
# nerdamer: 1e-20 is 0, and 1.5e-20 isn't.
#
# A number with an exponent becomes a fraction by way of a double, and what is below 1e-16 then becomes 0; 1e-15 is 1/999999999999999. Some with a decimal
# point are read digit by digit and are exact. 1e-20 times 1e20 is 0, with no word about it, in a library that computes with fractions of large integers.
# Seen in nerdamer 1.1.13 of npm.
source "$(dirname "$0")/npm.bash"
need nerdamer@1.1.13
cat >main.cjs <<'PROGRAM'
const nerdamer = require('nerdamer/all');
for (const x of ['1e-14', '1e-15', '1e-17', '1e-20', '1e-20*1e20', '1.0e-20', '1.5e-20', '1.5e-20*1e20']) console.log(x, 'is', nerdamer(x).toString());
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
1e-14 is 1/100000000000000
1e-15 is 1/999999999999999
1e-17 is 0
1e-20 is 0
1e-20*1e20 is 0
1.0e-20 is 0
1.5e-20 is 15/1000000000000000000000
1.5e-20*1e20 is 3/2
OUT
echo 'as found: 1e-20 is 0'
