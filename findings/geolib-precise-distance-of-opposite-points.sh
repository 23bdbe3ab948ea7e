#!/usr/bin/env bash
# geolib: the precise distance half around the equator is NaN.
#
# getPreciseDistance iterates on an ellipsoid, and has no end for points that are almost opposite. It stops after some steps with a NaN instead of an error or
# of what getDistance says, which is on a sphere.
# Seen in geolib 3.3.14 of npm.
source "$(dirname "$0")/npm.bash"
need geolib@3.3.14
cat >main.cjs <<'PROGRAM'
const geolib = require('geolib');
const at = (latitude, longitude) => ({ latitude, longitude });
for (const longitude of [90, 179, 179.5, 180]) console.log(longitude, geolib.getDistance(at(0, 0), at(0, longitude)), geolib.getPreciseDistance(at(0, 0), at(0, longitude)));
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
90 10018754 10018754
179 19926189 19926189
179.5 19981849 NaN
180 20037508 NaN
OUT
echo 'as found: the precise distance is not a number'
