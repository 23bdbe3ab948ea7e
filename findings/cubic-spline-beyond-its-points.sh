#!/usr/bin/env bash
# cubic-spline: left of its first point the curve goes on, and right of the last one it is NaN.
#
# The interval is looked up by how many points are less than x, so that the first one is taken for all smaller x, and an interval behind the last for larger
# ones. The example in the package asks for points to the left of the first. A loop to the end by steps of 0.1, whose sums come out a little beyond it, gets
# one NaN.
# Seen in cubic-spline 3.0.3 of npm.
source "$(dirname "$0")/npm.bash"
need cubic-spline@3.0.3
cat >main.mjs <<'PROGRAM'
import Spline from 'cubic-spline';
const spline = new Spline([0, 0.1, 0.2, 0.3], [0, 1, 2, 3]);
for (const x of [-1, -0.1, 0, 0.3, 0.1 + 0.2, 0.4]) console.log(x, spline.at(x).toFixed(3));
PROGRAM
node main.mjs | tee out
diff out - <<'OUT'
-1 -10.000
-0.1 -1.000
0 0.000
0.3 3.000
0.30000000000000004 NaN
0.4 NaN
OUT
echo 'as found: one side is extrapolated, the other not a number'
