#!/usr/bin/env bash
# An invalid date, written by three libraries of npm, is the first of January 1970.
#
# new Date('?') has the time NaN. @msgpack/msgpack, notepack.io and bson make an integer of it, which is 0, and read back a date that is valid. JSON writes
# null, msgpackr and cbor-x keep it as NaN. A column of dates with gaps gets measurements at midnight in 1970.
# Seen in @msgpack/msgpack 3.1.3, notepack.io 3.0.1, bson 7.3.4, msgpackr 2.1.4 and cbor-x 1.6.9 of npm.
source "$(dirname "$0")/npm.bash"
need @msgpack/msgpack@3.1.3 notepack.io@3.0.1 bson@7.3.4 msgpackr@2.1.4 cbor-x@1.6.9
cat >main.cjs <<'PROGRAM'
const bson = require('bson');
const libraries = { '@msgpack/msgpack': require('@msgpack/msgpack'), 'notepack.io': require('notepack.io'), msgpackr: require('msgpackr'), 'cbor-x': require('cbor-x') };
libraries.bson = { encode: x => bson.serialize({ x }), decode: b => bson.deserialize(b).x };
for (const [name, { encode, decode }] of Object.entries(libraries)) {
  const date = decode(encode(new Date('?')));
  console.log(name, isNaN(date) ? 'invalid' : date.toISOString());
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
@msgpack/msgpack 1970-01-01T00:00:00.000Z
notepack.io 1970-01-01T00:00:00.000Z
msgpackr invalid
cbor-x invalid
bson 1970-01-01T00:00:00.000Z
OUT
echo 'as found: no date is 1970'
