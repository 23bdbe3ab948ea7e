#!/usr/bin/env bash
# culori: white, by way of Lab, can not be displayed.
#
# displayable says whether a colour lies within what a screen can show. White does, and as Lab, LCH or OKLab, converted back, it is beyond 1 by a few parts of
# 1e16, for which there is no tolerance. So it is with blue by OKLCH. As text they are the colours that they were.
# Seen in culori 4.0.2 of npm.
source "$(dirname "$0")/npm.bash"
need culori@4.0.2
cat >main.cjs <<'PROGRAM'
(async () => {
  const culori = await import('culori');
  for (const color of ['white', 'blue']) {
    for (const mode of ['rgb', 'hsl', 'xyz65', 'lab', 'lch', 'oklab', 'oklch']) {
      const c = culori.converter(mode)(color);
      console.log(color, mode, culori.displayable(c), culori.formatHex(c));
    }
  }
})();
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
white rgb true #ffffff
white hsl true #ffffff
white xyz65 true #ffffff
white lab false #ffffff
white lch false #ffffff
white oklab false #ffffff
white oklch false #ffffff
blue rgb true #0000ff
blue hsl true #0000ff
blue xyz65 true #0000ff
blue lab false #0000ff
blue lch false #0000ff
blue oklab false #0000ff
blue oklch false #0000ff
OUT
echo 'as found: white is beyond what can be shown'
