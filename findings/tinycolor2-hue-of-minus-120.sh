#!/usr/bin/env bash
# tinycolor2: the colour with a hue of -120 degrees is red, and not blue.
#
# A hue is an angle: -120 is 240, which is blue, and 480 is 120, which is green. As CSS has it, and as spin of the same package does: red, spun by -120, is
# blue. Read from a text or from numbers, what is below 0 is 0, and what is above 360 is 360.
# Seen in tinycolor2 1.6.0 of npm.
source "$(dirname "$0")/npm.bash"
need tinycolor2@1.6.0
cat >main.cjs <<'PROGRAM'
const color = require('tinycolor2');
for (const hue of [240, -120, 120, 480]) console.log(hue, color(`hsl(${hue}, 100%, 50%)`).toHexString(), color({ h: hue, s: 1, l: 0.5 }).toHexString(), color({ h: hue, s: 1, v: 1 }).toHexString(), 'spun', color('red').spin(hue).toHexString());
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
240 #0000ff #0000ff #0000ff spun #0000ff
-120 #ff0000 #ff0000 #ff0000 spun #0000ff
120 #00ff00 #00ff00 #00ff00 spun #00ff00
480 #ff0000 #ff0000 #ff0000 spun #00ff00
OUT
echo 'as found: -120 degrees are red'
