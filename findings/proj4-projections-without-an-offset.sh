#!/usr/bin/env bash
# proj4 of npm: Albers' projection is NaN where it isn't said that the offset is 0.
#
# A false easting and northing, +x_0 and +y_0, are 0 by default in PROJ, whose notation this is. Here they are so for some projections, as Mercator's and
# Lambert's conic one; for others, Albers', the gnomonic and the azimuthal one of equal areas among them, sums with what isn't given are NaN.
# Seen in proj4 2.22.0 of npm.
source "$(dirname "$0")/npm.bash"
need proj4@2.22.0
cat >main.cjs <<'PROGRAM'
const proj4 = require('proj4');
for (const projection of ['merc', 'stere +lat_0=10', 'aea +lat_0=0 +lon_0=0 +lat_1=10 +lat_2=20', 'lcc +lat_0=0 +lon_0=0 +lat_1=10 +lat_2=20', 'laea +lat_0=10 +lon_0=0', 'gnom +lat_0=10 +lon_0=0']) {
  const to = offset => {
    try { return proj4('WGS84', `+proj=${projection} +ellps=WGS84${offset}`, [1, 15]).map(x => x.toFixed(1)).join(); } catch (e) { return e.message; }
  };
  console.log(`${projection}: ${to(' +x_0=0 +y_0=0')}; without an offset: ${to('')}`);
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
merc: 111319.5,1678147.5; without an offset: 111319.5,1678147.5
stere +lat_0=10: 107768.6,553716.1; without an offset: 107768.6,553716.1
aea +lat_0=0 +lon_0=0 +lat_1=10 +lat_2=20: 107143.5,1647407.4; without an offset: NaN,NaN
lcc +lat_0=0 +lon_0=0 +lat_1=10 +lat_2=20: 107143.4,1671781.0; without an offset: 107143.4,1671781.0
laea +lat_0=10 +lon_0=0: 107655.0,553132.2; without an offset: NaN,NaN
gnom +lat_0=10 +lon_0=0: 107947.3,558259.4; without an offset: NaN,NaN
OUT
echo 'as found: an offset that is not given is not 0'
