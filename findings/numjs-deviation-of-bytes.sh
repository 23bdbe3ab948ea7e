#!/usr/bin/env bash
# numjs: the standard deviation of the bytes 0 and 255 is 0.
#
# The differences to the mean are computed in the type of the array. Of bytes 0 and 255 they are cut off, squared and wrapped, and what is left is 0, instead of
# 127.5; the mean, which is computed in doubles, is right. The same numbers without a type have the right deviation.
# Seen in @d4c/numjs 0.17.35 of npm, the continuation of numjs.
source "$(dirname "$0")/npm.bash"
need @d4c/numjs@0.17.35
cat >main.cjs <<'PROGRAM'
const numjs = require('@d4c/numjs');
const nj = numjs.default || numjs;
for (const list of [[0, 255], [10, 20, 30], [1, 2]]) {
  console.log(list.join(), 'uint8:', nj.array(list, 'uint8').mean(), nj.array(list, 'uint8').std(), 'doubles:', nj.array(list).std());
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
0,255 uint8: 127.5 0 doubles: 127.5
10,20,30 uint8: 20 0 doubles: 8.16496580927726
1,2 uint8: 1.5 0.5 doubles: 0.5
OUT
echo 'as found: 0 and 255 do not deviate'
