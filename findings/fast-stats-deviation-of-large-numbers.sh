#!/usr/bin/env bash
# fast-stats: the standard deviation of 1000000001, 1000000002 and 1000000003 is 0.
#
# It is 0.816: the mean of the squares less the square of the mean, which have 19 digits. By time stamps in milliseconds, which are what the package is made for
# (the performance of web pages), the error is larger than the numbers are apart. stats-lite, beside it, is right.
# Seen in fast-stats 0.0.7 and stats-lite 2.2.0 of npm.
source "$(dirname "$0")/npm.bash"
need fast-stats@0.0.7 stats-lite@2.2.0
cat >main.cjs <<'PROGRAM'
const { Stats } = require('fast-stats'), lite = require('stats-lite');
for (const from of [0, 1e6, 1e9, 1.7e12]) {
  const numbers = [1, 2, 3].map(x => from + x);
  console.log(from, new Stats().push(numbers).stddev(), lite.stdev(numbers).toFixed(3));
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
0 0.816496580927726 0.816
1000000 0.816496580927726 0.816
1000000000 0 0.816
1700000000000 0 0.816
OUT
echo 'as found: three different numbers have no deviation'
