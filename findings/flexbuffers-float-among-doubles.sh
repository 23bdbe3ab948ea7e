#!/usr/bin/env bash
# flatbuffers for JavaScript: FlexBuffers.encode stores 10.5 beside 0.6 as another number, which its own toObject then reads.
#
# A map has values of one width. Where that is 8 bytes, because 0.6 needs them, 10.5, which fits in 4, is still written as a number of 4 bytes into the
# lower half of its place, with 4 bytes of zeros behind: read as 8 bytes, it is next to zero. Integers of different widths are widened.
# Seen in flatbuffers 25.2.10 of npm.
source "$(dirname "$0")/npm.bash"
need flatbuffers@25.2.10
cat >main.mjs <<'PROGRAM'
import * as flexbuffers from 'flatbuffers/mjs/flexbuffers.js';
for (const v of [{ narrow: 10.5 }, { wide: 0.6 }, { narrow: 1, wide: 70000 }, { narrow: 10.5, wide: 0.6 }]) {
  console.log(JSON.stringify(v), JSON.stringify(flexbuffers.toObject(flexbuffers.encode(v).buffer)));
}
PROGRAM
node main.mjs | tee out
diff out - <<'OUT'
{"narrow":10.5} {"narrow":10.5}
{"wide":0.6} {"wide":0.6}
{"narrow":1,"wide":70000} {"narrow":1,"wide":70000}
{"narrow":10.5,"wide":0.6} {"narrow":5.40083157e-315,"wide":0.6}
OUT
echo 'as found: a number of 4 bytes among numbers of 8 is lost'
