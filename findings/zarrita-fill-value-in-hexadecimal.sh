#!/usr/bin/env bash
# zarrita: a fill value that gives the bits of NaN, "0x7fc00001", is the number 2143289344.
#
# Zarr's third version lets the fill value of floats be a number, "NaN", "Infinity", or a string with the bits in hexadecimal, for the other NaNs. One would expect
# NaN of the bits, or an error. Seen: the string becomes a number as JavaScript reads it, and chunks that aren't stored have 2.1 thousand million. "NaN" itself is right.
# Seen in zarrita 0.7.5 of npm.
source "$(dirname "$0")/npm.bash"
need zarrita@0.7.5
cat >main.mjs <<'PROGRAM'
import * as zarr from 'zarrita';
for (const fill_value of ['NaN', '-Infinity', '0x7fc00000', '0x7fc00001', '0x3f800000']) {
  const meta = {
    zarr_format: 3, node_type: 'array', shape: [2], data_type: 'float32', fill_value, attributes: {}, chunk_grid: { name: 'regular', configuration: { chunk_shape: [2] } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } }, codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
  };
  const array = await zarr.open(new Map([['/zarr.json', Buffer.from(JSON.stringify(meta))]]), { kind: 'array' });
  console.log(fill_value, (await zarr.get(array)).data[0]);
}
PROGRAM
node main.mjs | tee out
diff out - <<'OUT'
NaN NaN
-Infinity -Infinity
0x7fc00000 2143289344
0x7fc00001 2143289344
0x3f800000 1065353216
OUT
echo 'as found: NaN is a number'
