#!/usr/bin/env bash
# simple-statistics: that a normal number is below 5 deviations has the probability 0.999, and the error function of 0 is -3e-8.
#
# cumulativeStdNormalProbability looks into a table that ends at 3.09 and has two places of its argument: from there on it is 0.999, where it is 0.9999997 at
# 5. A test by it finds no probability below 0.001. Its inverse, probit, goes on: probit of 0.9999997 is 4.98. errorFunction is a fit with an error of 1e-7,
# also at 0, and so is not odd there.
# Seen in simple-statistics 7.12.1 of npm.
source "$(dirname "$0")/npm.bash"
need simple-statistics@7.12.1
cat >main.cjs <<'PROGRAM'
const ss = require('simple-statistics');
for (const z of [1, 3, 3.09, 4, 5, -5]) console.log(z, ss.cumulativeStdNormalProbability(z), (0.5 + ss.errorFunction(z / Math.SQRT2) / 2).toFixed(7));
console.log('probit', ss.probit(0.999).toFixed(2), ss.probit(0.9999997).toFixed(2));
console.log('error function of 0:', ss.errorFunction(0).toExponential(1));
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
1 0.8413 0.8413447
3 0.9987 0.9986501
3.09 0.999 0.9989992
4 0.999 0.9999683
5 0.999 0.9999997
-5 0.001 0.0000003
probit 3.08 4.98
error function of 0: -3.0e-8
OUT
echo 'as found: beyond 3.09 deviations the probability is 0.999'
