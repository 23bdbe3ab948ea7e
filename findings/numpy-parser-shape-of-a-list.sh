#!/usr/bin/env bash
# numpy-parser: a file with three numbers has the shape 3x1.
#
# NumPy writes the shape of a list as (3,). The comma is taken for one between two sizes, and the missing one for 1; a scalar is a scalar, and a table a table.
# So a list can't be told from a column.
# Seen in numpy-parser 1.2.3 of npm.
source "$(dirname "$0")/npm.bash"
need numpy-parser@1.2.3
cat >main.cjs <<'PROGRAM'
const { fromArrayBuffer } = require('numpy-parser');
function file(shape, n) {
  const text = `{'descr': '<f4', 'fortran_order': False, 'shape': ${shape}, }`.padEnd(117) + '\n';
  const bytes = new Uint8Array(128 + 4 * n);
  bytes.set([0x93, ...Buffer.from('NUMPY'), 1, 0, 118, 0]);
  bytes.set(Buffer.from(text), 10);
  bytes.set(new Uint8Array(Float32Array.from({ length: n }, (_, i) => i).buffer), 128);
  return bytes.buffer;
}
for (const [shape, n] of [['()', 1], ['(3,)', 3], ['(3, 1)', 3], ['(1, 3)', 3]]) {
  console.log(shape, fromArrayBuffer(file(shape, n)).shape);
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
() []
(3,) [ 3, 1 ]
(3, 1) [ 3, 1 ]
(1, 3) [ 1, 3 ]
OUT
echo 'as found: (3,) and (3, 1) are the same'
