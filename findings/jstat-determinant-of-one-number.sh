#!/usr/bin/env bash
# jStat: the determinant of the matrix with the one number 2 is 0.
#
# It is 2. The sums over diagonals of larger matrices are right, as is the inverse of the same matrix, 0.5. A product over the determinants of the leading
# minors, as it tests whether a matrix is positive definite, begins with this one and is always 0.
# Seen in jstat 1.9.6 of npm.
source "$(dirname "$0")/npm.bash"
need jstat@1.9.6
cat >main.cjs <<'PROGRAM'
const { jStat } = require('jstat');
for (const m of [[[2]], [[-7]], [[2, 0], [0, 3]], [[2, 0, 0], [0, 3, 0], [0, 0, 4]]]) console.log(JSON.stringify(m), 'determinant', jStat.det(m), 'inverse of the first', jStat.inv(m)[0][0]);
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
[[2]] determinant 0 inverse of the first 0.5
[[-7]] determinant 0 inverse of the first -0.14285714285714285
[[2,0],[0,3]] determinant 6 inverse of the first 0.5
[[2,0,0],[0,3,0],[0,0,4]] determinant 24 inverse of the first 0.5
OUT
echo 'as found: the determinant of 2 is 0'
