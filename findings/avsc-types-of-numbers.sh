#!/usr/bin/env bash
# avsc: the type that is inferred for 0.1, and for 2^40 + 1, is a float of 32 bits.
#
# A type made by Type.forValue from an example doesn't hold the example: 0.1 comes back as 0.10000000149, and 2^40 + 1 as 2^40, without an error. It is an int
# for what fits into 32 bits, a float for all else below 2^53 - 1, and a double beyond. JavaScript's numbers are doubles, and Avro has a long for large
# integers.
# Seen in avsc 5.7.9 of npm.
source "$(dirname "$0")/npm.bash"
need avsc@5.7.9
cat >main.cjs <<'PROGRAM'
const { Type } = require('avsc');
for (const x of [5, 0.1, 2 ** 40 + 1, 2 ** 53 - 1, 1e300]) {
  const type = Type.forValue(x);
  console.log(x, type.toString(), type.fromBuffer(type.toBuffer(x)));
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
5 "int" 5
0.1 "float" 0.10000000149011612
1099511627777 "float" 1099511627776
9007199254740991 "double" 9007199254740991
1e+300 "double" 1e+300
OUT
echo 'as found: 0.1 is a float'
