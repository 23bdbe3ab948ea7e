#!/usr/bin/env bash
# notepack.io: of a Float32Array the whole part of each number is written, in one byte.
#
# Typed arrays are written as binary data. Other encoders of MessagePack write the bytes of which the array consists; here the elements are copied as numbers
# into a list of bytes of the same length: 1.5, 0.1, 300 become the three bytes 1, 0, 44, from which nothing can bring them back.
# Seen in notepack.io 3.0.1 of npm, and with @msgpack/msgpack 3.1.3 beside it.
source "$(dirname "$0")/npm.bash"
need notepack.io@3.0.1 @msgpack/msgpack@3.1.3
cat >main.cjs <<'PROGRAM'
const notepack = require('notepack.io'), msgpack = require('@msgpack/msgpack');
const array = new Float32Array([1.5, 0.1, 300]);
console.log('notepack.io     ', notepack.encode(array).toString('hex'), [...notepack.decode(notepack.encode(array))].join());
const bytes = msgpack.decode(msgpack.encode(array)).slice();
console.log('@msgpack/msgpack', Buffer.from(msgpack.encode(array)).toString('hex'), [...new Float32Array(bytes.buffer)].map(x => x.toFixed(2)).join());
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
notepack.io      c40301002c 1,0,44
@msgpack/msgpack c40c0000c03fcdcccc3d00009643 1.50,0.10,300.00
OUT
echo 'as found: three floats are three bytes'
