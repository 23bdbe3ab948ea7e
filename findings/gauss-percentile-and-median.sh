#!/usr/bin/env bash
# gauss: of 1, 2, 3 and 4 the median is 2.5, and the percentile 0.5 is 3.
#
# Both name the same number. The median is the mean of the two in the middle, and percentile takes the upper one of them, and quantile(2) the lower
# one. Of an odd number of them all three are the same.
# Seen in gauss 0.2.12 of npm.
source "$(dirname "$0")/npm.bash"
need gauss@0.2.12
cat >main.cjs <<'PROGRAM'
const { Vector } = require('gauss');
for (const list of [[1, 2, 3], [1, 2, 3, 4], [1, 1, 9, 9]]) {
  const v = new Vector(list);
  console.log(list.join(), 'median', v.median(), 'percentile', v.percentile(0.5), 'quantile', JSON.stringify(v.quantile(2)));
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
1,2,3 median 2 percentile 2 quantile [2]
1,2,3,4 median 2.5 percentile 3 quantile [2]
1,1,9,9 median 5 percentile 9 quantile [1]
OUT
echo 'as found: one number by two functions is two numbers'
