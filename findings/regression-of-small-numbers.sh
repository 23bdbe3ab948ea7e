#!/usr/bin/env bash
# regression: through two points a line is drawn whose coefficient of determination is -9.
#
# It is 1, since the line goes through both. The package rounds the equation to two decimals before it predicts with it, so that the slope 0.00001 is 0, and r2
# is computed from these predictions. With the option precision it is right; that is described as one for the digits of the equation.
# Seen in regression 2.0.1 of npm.
source "$(dirname "$0")/npm.bash"
need regression@2.0.1
cat >main.cjs <<'PROGRAM'
const regression = require('regression');
for (const unit of [1, 0.01, 0.00001]) {
  const line = regression.linear([[1, unit], [2, 2 * unit]]), exact = regression.linear([[1, unit], [2, 2 * unit]], { precision: 10 });
  console.log(unit, 'at 4:', line.predict(4)[1], 'r2', line.r2, 'with ten digits:', exact.predict(4)[1], exact.r2);
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
1 at 4: 4 r2 1 with ten digits: 4 1
0.01 at 4: 0.04 r2 1 with ten digits: 0.04 1
0.00001 at 4: 0 r2 -9 with ten digits: 0.00004 1
OUT
echo 'as found: the line through two points misses both'
