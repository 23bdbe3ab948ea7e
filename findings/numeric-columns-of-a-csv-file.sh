#!/usr/bin/env bash
# numeric of npm: toCSV writes as many columns as there are rows.
#
# A square matrix is written as it is. Of a wide one the last columns are left out, and a tall one is an error. parseCSV of a text with a line feed at its
# end, as toCSV writes it, has a row more than the text, with NaN in it.
# Seen in numeric 1.2.6 of npm.
source "$(dirname "$0")/npm.bash"
need numeric@1.2.6
cat >main.cjs <<'PROGRAM'
const numeric = require('numeric');
for (const table of [[[1, 2], [3, 4]], [[1, 2, 3]], [[1, 2, 3], [4, 5, 6]]]) console.log(JSON.stringify(table), JSON.stringify(numeric.toCSV(table)));
console.log(numeric.parseCSV('1,2\n3,4'), numeric.parseCSV('1,2\n3,4\n'));
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
[[1,2],[3,4]] "1, 2\n3, 4\n"
[[1,2,3]] "1\n"
[[1,2,3],[4,5,6]] "1, 2\n4, 5\n"
[ [ 1, 2 ], [ 3, 4 ] ] [ [ 1, 2 ], [ 3, 4 ], [ NaN ] ]
OUT
echo 'as found: 1, 2, 3 is written as 1'
