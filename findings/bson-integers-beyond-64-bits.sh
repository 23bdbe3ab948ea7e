#!/usr/bin/env bash
# bson: 2n ** 64n is written as 0, and 2n ** 63n comes back as a negative number.
#
# BSON's integers have 64 bits. A BigInt that needs more loses its upper bits without an error, in a function that has an error for a key with a zero in it, or
# for a circle. msgpackr refuses the same numbers, and cbor-x writes all of them.
# Seen in bson 7.3.4 and msgpackr 2.1.4 of npm.
source "$(dirname "$0")/npm.bash"
need bson@7.3.4 msgpackr@2.1.4
cat >main.cjs <<'PROGRAM'
const bson = require('bson'), msgpackr = require('msgpackr');
for (const x of [2n ** 62n, 2n ** 63n, 2n ** 64n, 2n ** 64n + 5n]) {
  let other;
  try {
    other = msgpackr.unpack(msgpackr.pack(x));
  } catch (error) {
    other = error.name;
  }
  console.log(x, 'bson', bson.deserialize(bson.serialize({ x }), { useBigInt64: true }).x, 'msgpackr', other);
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
4611686018427387904n bson 4611686018427387904n msgpackr 4611686018427387904n
9223372036854775808n bson -9223372036854775808n msgpackr 9223372036854775808n
18446744073709551616n bson 0n msgpackr RangeError
18446744073709551621n bson 5n msgpackr RangeError
OUT
echo 'as found: 2^64 is 0'
