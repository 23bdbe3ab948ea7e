#!/usr/bin/env bash
# mat-for-js: of a 2x3x2 array the elements come in another order, and some of them twice.
#
# The array has 0, 1 in its first row and 2, 3 in the next, and so on up to 11, in a file of MATLAB's format 5. Matrices with two dimensions are right. With
# three the elements are other ones: 4, 8 and 10 are there twice, and 5, 9 and 11 not at all.
# Seen in mat-for-js 1.1.0 of npm; python3-scipy 1.10.1 of Debian writes the same bytes behind the header.
source "$(dirname "$0")/npm.bash"
need mat-for-js@1.1.0
cat >main.cjs <<'PROGRAM'
const { read } = require('mat-for-js');
const header = Buffer.from('MATLAB 5.0 MAT-file'.padEnd(124) + '\0\x01IM', 'latin1');
function file(dimensions, elements) {
  const doubles = Buffer.from(new Float64Array(elements).buffer), d = Buffer.from(new Int32Array([5, 4 * dimensions.length, ...dimensions, ...(dimensions.length % 2 ? [0] : [])]).buffer);
  const body = Buffer.concat([Buffer.from('06000000080000000600000000000000', 'hex'), d, Buffer.from('0100010074000000', 'hex'), // of doubles, so many, named t
    Buffer.from(new Int32Array([9, doubles.length]).buffer), doubles]);
  return Buffer.concat([header, Buffer.from(new Int32Array([14, body.length]).buffer), body]);
}
const show = (d, e) => {
  const b = file(d, e);
  console.log(d.join('x'), JSON.stringify(read(b.buffer.slice(b.byteOffset, b.byteOffset + b.length)).data.t));
};
show([2, 3], [0, 3, 1, 4, 2, 5]); // the first index is the fastest
show([2, 3, 2], [0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11]);
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
2x3 [[0,1,2],[3,4,5]]
2x3x2 [[[0,8],[2,10],[4,7]],[[6,4],[8,1],[10,3]]]
OUT
echo 'as found: a table of tables has other elements'
