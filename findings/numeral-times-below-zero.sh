#!/usr/bin/env bash
# numeral: -1 second is written as -1:59:59, and "-1:30" is read as -30.
#
# The sign of a time stands for its first part alone: hours are rounded down and minutes and seconds count up from there, so that a second below zero begins
# with an hour. In the same way "-1:01:01" is -3539, and "-0:01:30" is 90.
# Seen in numeral 2.0.6 of npm.
source "$(dirname "$0")/npm.bash"
need numeral@2.0.6
cat >main.cjs <<'PROGRAM'
const numeral = require('numeral');
for (const x of [61, 1, -1, -61, -3600]) console.log(x, numeral(x).format('00:00:00'));
for (const s of ['1:30', '-1:30', '-1:01:01', '-0:01:30']) console.log(s, numeral(s).value());
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
61 0:01:01
1 0:00:01
-1 -1:59:59
-61 -1:58:59
-3600 -1:00:00
1:30 90
-1:30 -30
-1:01:01 -3539
-0:01:30 90
OUT
echo 'as found: a second below zero is an hour below zero and almost another one above'
