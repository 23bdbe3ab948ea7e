#!/usr/bin/env bash
# color-convert: the hue -60 is magenta by HSL, yellow by HWB, and undefined by HSV; and 200, 0, 100 by way of HCG is 200, 0, 300.
#
# -60 degrees are 300, which is magenta. By HSL and HCG that is so, by HWB it is 60, and by HSV there is no result at all. The conversion into HCG makes such
# hues of its own, for colours between magenta and red, and that from HCG doesn't bring them back, so that a part of the colour is beyond 255. Green and blue
# go there and back.
# Seen in color-convert 3.1.3 of npm.
source "$(dirname "$0")/npm.bash"
need color-convert@3.1.3
cat >main.mjs <<'PROGRAM'
import convert from 'color-convert';
for (const hue of [300, -60]) console.log(hue, 'hsl', convert.hsl.rgb(hue, 100, 50), 'hwb', convert.hwb.rgb(hue, 0, 0), 'hsv', convert.hsv.rgb(hue, 100, 100));
for (const color of [[10, 200, 120], [100, 50, 150], [200, 0, 100]]) {
  const hcg = convert.rgb.hcg.raw(color);
  console.log(color, 'hue', hcg[0].toFixed(1), 'back', convert.hcg.rgb(hcg), 'by hsl', convert.hsl.rgb(convert.rgb.hsl.raw(color)));
}
PROGRAM
node main.mjs | tee out
diff out - <<'OUT'
300 hsl [ 255, 0, 255 ] hwb [ 255, 0, 255 ] hsv [ 255, 0, 255 ]
-60 hsl [ 255, 0, 255 ] hwb [ 255, 255, 0 ] hsv undefined
[ 10, 200, 120 ] hue 154.7 back [ 10, 200, 120 ] by hsl [ 10, 200, 120 ]
[ 100, 50, 150 ] hue 270.0 back [ 100, 50, 150 ] by hsl [ 100, 50, 150 ]
[ 200, 0, 100 ] hue -30.0 back [ 200, 0, 300 ] by hsl [ 200, 0, 100 ]
OUT
echo 'as found: one hue is three colours'
