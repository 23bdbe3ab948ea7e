#!/usr/bin/env bash
# jStat: a histogram of equal numbers counts none of them.
#
# The width of a bin is the range divided by their number, here 0, so that the place of each number is 0 / 0; what is added to element NaN of the list is
# counted nowhere. The counts of 5, 5, 5 are 0, 0, 0, without an error; one more number brings all back.
# Seen in jstat 1.9.6 of npm.
source "$(dirname "$0")/npm.bash"
need jstat@1.9.6
cat >main.cjs <<'PROGRAM'
const { jStat } = require('jstat');
for (const list of [[5, 5, 5], [5, 5, 5, 6], [7]]) console.log(list.join(), 'in 3 bins:', Array.from(jStat.histogram(list, 3)).join());
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
5,5,5 in 3 bins: 0,0,0
5,5,5,6 in 3 bins: 3,0,1
7 in 3 bins: 0,0,0
OUT
echo 'as found: three numbers, and no count'
