#!/usr/bin/env bash
# convert-units: an inch is 25.3999992 millimetres.
#
# It is 25.4, exactly, and so a foot is 0.3048 metres, a mile 1609.344, and a pound 453.59237 grams. The package goes from inches to metres by way of a foot of
# 1 / 3.28084 metres, so that a mile lacks 0.05 mm and a pound is 453.592 g. A gallon in volume and one in a flow aren't the same volume: they differ in the
# ninth digit.
# Seen in convert-units 2.3.4 of npm.
source "$(dirname "$0")/npm.bash"
need convert-units@2.3.4
cat >main.cjs <<'PROGRAM'
const convert = require('convert-units');
for (const [x, from, to] of [[1, 'in', 'mm'], [1, 'mi', 'm'], [1, 'lb', 'g'], [1, 'gal', 'ml'], [1, 'gal/s', 'ml/s']]) console.log(x, from, 'is', convert(x).from(from).to(to).toPrecision(12), to);
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
1 in is 25.3999991872 mm
1 mi is 1609.34394850 m
1 lb is 453.592000000 g
1 gal is 3785.41179540 ml
1 gal/s is 3785.41178421 ml/s
OUT
echo 'as found: an inch is less than 25.4 mm'
