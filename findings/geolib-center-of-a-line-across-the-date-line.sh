#!/usr/bin/env bash
# geolib: half way from 179 degrees east to 179 degrees west is 180 by getCenter, and 0 by getCenterOfBounds.
#
# The distance and the centre of the two know that they are neighbours. The bounds, what lies within a polygon and its area don't: a square of one degree
# there has 359 times the area that it has elsewhere, and doesn't hold its centre.
# Seen in geolib 3.3.14 of npm.
source "$(dirname "$0")/npm.bash"
need geolib@3.3.14
cat >main.cjs <<'PROGRAM'
const geolib = require('geolib');
const at = (latitude, longitude) => ({ latitude, longitude });
for (const west of [10, 179.5]) {
  const east = west + 1 > 180 ? west - 359 : west + 1, center = west + 0.5;
  const square = [at(0, west), at(0, east), at(1, east), at(1, west)];
  console.log(`from ${west} to ${east}: distance ${geolib.getDistance(square[0], square[1])}, centre ${geolib.getCenter([square[0], square[1]]).longitude}, of bounds ` +
    `${geolib.getCenterOfBounds([square[0], square[1]]).longitude}, area ${(geolib.getAreaOfPolygon(square) / 1e9).toFixed(2)}, holds ${center}: ${geolib.isPointInPolygon(at(0.5, center), square)}`);
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
from 10 to 11: distance 111319, centre 10.5, of bounds 10.5, area 12.39, holds 10.5: true
from 179.5 to -179.5: distance 111319, centre 180, of bounds 0, area 4448.51, holds 180: false
OUT
echo 'as found: the centre is on the other side of the Earth'
