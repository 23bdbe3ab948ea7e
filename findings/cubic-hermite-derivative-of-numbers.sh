#!/usr/bin/env bash
# cubic-hermite: the derivative of a curve of numbers is NaN; of a curve of points it is right.
#
# The function and its derivative take numbers or points. For numbers the derivative reads an element of one of them, which has none.
# Seen in cubic-hermite 1.0.0 of npm.
source "$(dirname "$0")/npm.bash"
need cubic-hermite@1.0.0
cat >main.cjs <<'PROGRAM'
const hermite = require('cubic-hermite');
console.log('points', hermite([0], [0], [1], [0], 0.5), hermite.derivative([0], [0], [1], [0], 0.5));
console.log('numbers', hermite(0, 0, 1, 0, 0.5), hermite.derivative(0, 0, 1, 0, 0.5));
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
points [ 0.5 ] [ 1.5 ]
numbers 0.5 NaN
OUT
echo 'as found: the derivative is 1.5 and NaN'
