#!/usr/bin/env bash
# nerdamer: i to the power of i is i.
#
# It is e^(-pi/2), about 0.2079. The power is taken by looking at what is left of the exponent after a division by 4, as for whole numbers; so is that of -i,
# and i^(2*i) is -1. Powers by i of other numbers, as of 2 and of 1 + i, are right.
# Seen in nerdamer 1.1.13 of npm.
source "$(dirname "$0")/npm.bash"
need nerdamer@1.1.13
cat >main.cjs <<'PROGRAM'
const nerdamer = require('nerdamer/all');
for (const x of ['i^i', 'i^(2*i)', '(-i)^i', '2^i', 'e^(i*i)', 'e^(-pi/2)']) console.log(x, nerdamer(x).evaluate().text('decimals', 12));
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
i^i i
i^(2*i) -1
(-i)^i i
2^i 0.638961276314*i+0.76923890136
e^(i*i) 0.36787944117
e^(-pi/2) 0.20787957635
OUT
echo 'as found: i^i is i'
