#!/usr/bin/env bash
# pickleparser: -2^40, as Python writes it, is read as 280375465082880, and -2^63 as 2^63.
#
# Integers that don't fit into 32 bits are written as bytes with the sign in the last one. One would expect the parser to extend the sign, as it does for those of
# 32 bits, or to refuse. Seen: the bytes are taken for a number without a sign, silently below 2^53 and with a warning that precision may be lost above. As
# digits, in protocol 0, the same numbers are right.
# Seen in pickleparser 0.2.1 of npm; the bytes are what pickle.dumps of Python 3.11 gives.
source "$(dirname "$0")/npm.bash"
need pickleparser@0.2.1
cat >main.cjs <<'PROGRAM'
const { Parser } = require('pickleparser');
console.warn = () => {};
const list = {
  '2^40': '80028a060000000000012e', '-1': '80024affffffff2e', '-2^40': '80028a060000000000ff2e', '-2^63': '80028a0800000000000000802e',
  '-2^40 as digits': '4c2d313039393531313632373737364c0a2e',
};
for (const [what, hex] of Object.entries(list))
  console.log(what, new Parser().parse(Buffer.from(hex, 'hex')));
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
2^40 1099511627776
-1 -1
-2^40 280375465082880
-2^63 9223372036854776000
-2^40 as digits -1099511627776
OUT
echo 'as found: -2^40 is positive'
