#!/usr/bin/env bash
# js-quantities: a furlong is 660.1 feet, a fathom 6.0007 and a rod 16.4993.
#
# They are 660, 6 and 16.5 by definition. Here a foot is 0.3048 m, as a mile and a yard are exact, while the three are 201.2, 1.829 and 5.029 m, rounded to
# four digits: 8 furlongs are more than a mile. Feet that come from fathoms are wrong in the fourth digit, in a library that computes in double precision.
# Seen in js-quantities 1.8.0 of npm.
source "$(dirname "$0")/npm.bash"
need js-quantities@1.8.0
cat >main.cjs <<'PROGRAM'
const Qty = require('js-quantities');
for (const unit of ['yd', 'fathom', 'rod', 'furlong', 'mile']) console.log(unit, Qty(1, unit).to('ft').scalar.toFixed(4));
console.log('8 furlongs in miles', Qty('8 furlong').to('mile').scalar.toFixed(6));
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
yd 3.0000
fathom 6.0007
rod 16.4993
furlong 660.1050
mile 5280.0000
8 furlongs in miles 1.000159
OUT
echo 'as found: a furlong is 660.105 feet'
