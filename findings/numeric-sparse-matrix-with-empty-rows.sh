#!/usr/bin/env bash
# numeric of npm: of a sparse matrix the last rows are lost where they are zero.
#
# The compressed form holds no number of rows: it is taken from the last number that isn't 0. A matrix of 3x2 that is made sparse, and full again, is one of
# 1x2.
# Seen in numeric 1.2.6 of npm.
source "$(dirname "$0")/npm.bash"
need numeric@1.2.6
cat >main.cjs <<'PROGRAM'
const numeric = require('numeric');
for (const m of [[[1, 0], [0, 2], [0, 3]], [[1, 0], [0, 2], [0, 0]], [[1, 2], [0, 0], [0, 0]]]) {
  const sparse = numeric.ccsSparse(m);
  console.log(JSON.stringify(m), numeric.ccsDim(sparse), JSON.stringify(numeric.ccsFull(sparse)));
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
[[1,0],[0,2],[0,3]] [ 3, 2 ] [[1,0],[0,2],[0,3]]
[[1,0],[0,2],[0,0]] [ 2, 2 ] [[1,0],[0,2]]
[[1,2],[0,0],[0,0]] [ 1, 2 ] [[1,2]]
OUT
echo 'as found: a matrix of 3x2 becomes one of 1x2'
