#!/usr/bin/env bash
# jpickle: each integer of 2^31 and more, as Python writes it in the protocols 1 to 3, is 0.
#
# In protocol 2 such integers are written with their length and their bytes. One would expect a number, rounded where a double doesn't have its digits. Seen: 0, for sizes
# and addresses as for the bounds of 64 bits, without an error; from -2^31 to 2^31 - 1 all is right. In protocol 0, as digits, they are right, too.
# Seen in jpickle 0.4.1 of npm; the bytes are what pickle.dumps of Python 3.11 gives.
source "$(dirname "$0")/npm.bash"
need jpickle@0.4.1
cat >main.cjs <<'PROGRAM'
const { loads } = require('jpickle');
const list = {
  '2^31 - 1': '80024affffff7f2e', '2^31': '80028a0500000080002e', '2^40': '80028a060000000000012e', '-2^40': '80028a060000000000ff2e',
  '2^40 as digits': '4c313039393531313632373737364c0a2e',
};
for (const [what, hex] of Object.entries(list))
  console.log(what, loads(Buffer.from(hex, 'hex').toString('binary')));
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
2^31 - 1 2147483647
2^31 0
2^40 0
-2^40 0
2^40 as digits 1099511627776
OUT
echo 'as found: 2^31 is 0'
