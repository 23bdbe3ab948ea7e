#!/usr/bin/env bash
# npyjs: dump of a nested list writes a file of zeros, one for each row, without an error.
#
# The type is looked up in the first number, however deep it lies in lists; the lists are then converted to numbers, as if each were one. [[1, 2], [3, 4]]
# becomes a file of shape (2,), with zeros in it, as unsigned bytes, and [[1.5, 2], [3, 4]] one of two NaN. A flat list and a shape are right.
# Seen in npyjs 1.2.0 of npm.
source "$(dirname "$0")/npm.bash"
need npyjs@1.2.0
cat >main.mjs <<'PROGRAM'
import { dump, load } from 'npyjs';
for (const [list, shape] of [[[1, 2, 3, 4], [2, 2]], [[[1, 2], [3, 4]]], [[[1.5, 2], [3, 4]]]]) {
  const array = await load(dump(list, shape));
  console.log(JSON.stringify(list), array.dtype, array.shape, array.data);
}
PROGRAM
node main.mjs | tee out
diff out - <<'OUT'
[1,2,3,4] u1 [ 2, 2 ] Uint8Array(4) [ 1, 2, 3, 4 ]
[[1,2],[3,4]] u1 [ 2 ] Uint8Array(2) [ 0, 0 ]
[[1.5,2],[3,4]] f4 [ 2 ] Float32Array(2) [ NaN, NaN ]
OUT
echo 'as found: a table is written as zeros'
