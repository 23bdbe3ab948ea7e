#!/usr/bin/env bash
# hyparquet-writer: -0 stays -0 in a column of different numbers, and becomes 0 in one whose numbers repeat.
#
# A column with few different values is written as a dictionary and places in it. One would expect that to be a matter of size alone. Seen: the dictionary finds
# -0 and 0 equal, and keeps which of them comes first: a column that begins with -0 has no 0 any more.
# Seen in hyparquet-writer 0.17.0 of npm, and read with hyparquet 1.31.5.
source "$(dirname "$0")/npm.bash"
need hyparquet-writer@0.17.0 hyparquet@1.31.5
cat >main.mjs <<'PROGRAM'
import { parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
const pairs = (a, b) => Array.from({ length: 8 }, (_, i) => (i % 2 ? b : a));
for (const data of [[1, 0, -0, 2.5], pairs(0, -0), pairs(-0, 0)]) {
  const file = parquetWriteBuffer({ columnData: [{ name: 'x', data, type: 'DOUBLE' }] });
  console.log((await parquetReadObjects({ file })).map(row => (Object.is(row.x, -0) ? '-0' : row.x)).join(' '));
}
PROGRAM
node main.mjs | tee out
diff out - <<'OUT'
1 0 -0 2.5
0 0 0 0 0 0 0 0
-0 -0 -0 -0 -0 -0 -0 -0
OUT
echo 'as found: a column has one zero'
