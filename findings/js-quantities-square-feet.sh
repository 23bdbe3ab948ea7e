#!/usr/bin/env bash
# js-quantities: a square foot is a square metre where it is called sqft.
#
# The unit is defined as 1 and not as 0.09290304 m2, and it is written as "1 ft2" when it is printed in base units. 1 sqft is therefore 10.76 ft2, and 100 sqft
# and 1 m2 make 101 sqft. With ft2 all is right.
# Seen in js-quantities 1.8.0 of npm.
source "$(dirname "$0")/npm.bash"
need js-quantities@1.8.0
cat >main.cjs <<'PROGRAM'
const Qty = require('js-quantities');
console.log('1 ft2 is', Qty('1 ft2').to('m2').toString());
console.log('1 sqft is', Qty('1 sqft').to('m2').toString(), 'and', Qty('1 sqft').to('ft2').scalar.toFixed(3), 'ft2');
console.log('100 sqft and 1 m2 are', Qty('100 sqft').add('1 m2').toString());
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
1 ft2 is 0.09290304 m2
1 sqft is 1 m2 and 10.764 ft2
100 sqft and 1 m2 are 101 sqft
OUT
echo 'as found: a square foot is a square metre'
