#!/usr/bin/env bash
# zarrita: an array of no elements can be opened, and not be read.
#
# An array of shape 0x3 is valid, and what a program writes that found nothing. One would expect a result with the shape 0x3 and no numbers, which is what the slice
# from 1 to 1 of an array with elements gives. Seen: reading it fails, with "Input contains an empty iterator." of the library for iterators that is used.
# Seen in zarrita 0.7.5 of npm.
source "$(dirname "$0")/npm.bash"
need zarrita@0.7.5
cat >main.mjs <<'PROGRAM'
import * as zarr from 'zarrita';
for (const [shape, selection] of [[[2, 3]], [[0, 3]], [[2, 3], [zarr.slice(1, 1), null]]]) {
  const meta = {
    zarr_format: 3, node_type: 'array', shape, data_type: 'float32', fill_value: 7, attributes: {}, chunk_grid: { name: 'regular', configuration: { chunk_shape: [2, 3] } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } }, codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
  };
  const array = await zarr.open(new Map([['/zarr.json', Buffer.from(JSON.stringify(meta))]]), { kind: 'array' });
  const what = `${array.shape.join('x')}${selection ? ', 1:1' : ''}:`;
  try {
    const r = await zarr.get(array, selection);
    console.log(what, r.shape.join('x'), [...r.data].join(' '));
  } catch (e) {
    console.log(what, e.message);
  }
}
PROGRAM
node main.mjs | tee out
diff out - <<'OUT'
2x3: 2x3 7 7 7 7 7 7
0x3: Input contains an empty iterator.
2x3, 1:1: 0x3 
OUT
echo 'as found: there is no array of nothing'
