#!/usr/bin/env bash
# Turf: 100 kilometres north of a point that is 11 kilometres from the pole is one 78 kilometres south of it, on the same side.
#
# destination goes over the pole, and comes down on the other side, at 180 degrees. rhumbDestination reflects the latitude, and leaves the longitude, so that
# the way from the start is 78 km long instead of 100, and its bearing the opposite one.
# Seen in @turf/turf 7.4.0 of npm.
source "$(dirname "$0")/npm.bash"
need @turf/turf@7.4.0
cat >main.cjs <<'PROGRAM'
const turf = require('@turf/turf');
for (const latitude of [80, 89.9]) {
  const from = turf.point([0, latitude]);
  for (const [name, to] of [['destination', turf.destination(from, 100, 0)], ['rhumbDestination', turf.rhumbDestination(from, 100, 0)]]) {
    console.log(latitude, name, to.geometry.coordinates.map(x => x.toFixed(3)).join(), 'distance', turf.distance(from, to).toFixed(1), 'bearing', turf.bearing(from, to).toFixed(0));
  }
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
80 destination 0.000,80.899 distance 100.0 bearing 0
80 rhumbDestination 0.000,80.899 distance 100.0 bearing 0
89.9 destination 180.000,89.201 distance 100.0 bearing 0
89.9 rhumbDestination 0.000,89.201 distance 77.8 bearing 180
OUT
echo 'as found: north is south'
