#!/usr/bin/env bash
# protobufjs: 2147483648 passes verify as an int32, and is written as -2147483648.
#
# verify is there for objects whose contents aren't certain, and tells of a fraction or a string in place of an integer. It doesn't tell of integers that the
# type can't hold: 2^32 + 1 as a uint32 is written as 1, -1 as 4294967295, and 2^63 as an int64 is negative. There is no error when they are written either.
# Seen in protobufjs 8.8.1 of npm.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts protobufjs@8.8.1
cat >main.cjs <<'PROGRAM'
const protobuf = require('protobufjs');
const { root } = protobuf.parse('syntax = "proto3"; message M { int32 i = 1; uint32 u = 2; int64 l = 3; uint64 ul = 4; }');
const M = root.lookupType('M');
for (const object of [{ i: 1.5 }, { i: 2147483648 }, { u: 4294967297 }, { u: -1 }, { l: 2 ** 63 }, { ul: -1 }]) {
  console.log(object, 'verify', M.verify(object), 'read back', M.toObject(M.decode(M.encode(M.create(object)).finish()), { longs: String }));
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
{ i: 1.5 } verify i: integer expected read back { i: 1 }
{ i: 2147483648 } verify null read back { i: -2147483648 }
{ u: 4294967297 } verify null read back { u: 1 }
{ u: -1 } verify null read back { u: 4294967295 }
{ l: 9223372036854776000 } verify null read back { l: '-9223372036854775808' }
{ ul: -1 } verify null read back { ul: '18446744073709551615' }
OUT
echo 'as found: what is no int32 passes for one'
