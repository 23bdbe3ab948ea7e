#!/usr/bin/env bash
# lib-r-math.js: BesselK is BesselI.
#
# K falls from infinity to 0, and I grows: K of order 2 at 0.1 is 199.5, and I of it 0.00125. The package has both names, and both give I, for all orders and
# arguments. What R's besselK prints is in the last column.
# Seen in lib-r-math.js 2.0.3 of npm.
source "$(dirname "$0")/npm.bash"
need lib-r-math.js@2.0.3
cat >main.mjs <<'PROGRAM'
import { BesselI, BesselK } from 'lib-r-math.js';
for (const [x, order, k] of [[0.1, 2, 199.504], [1, 0.5, 0.461069], [2, 0, 0.113894]]) console.log(x, order, BesselI(x, order).toPrecision(6), BesselK(x, order).toPrecision(6), k);
PROGRAM
node main.mjs | tee out
diff out - <<'OUT'
0.1 2 0.00125104 0.00125104 199.504
1 0.5 0.937675 0.937675 0.461069
2 0 2.27959 2.27959 0.113894
OUT
echo 'as found: two functions are one'
