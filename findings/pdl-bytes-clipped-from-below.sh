#!/usr/bin/env bash
# PDL: bytes that are clipped so that none is below -1 are all 255.
#
# No byte is below -1, so one would expect nothing to change, at most the type: clipping bytes at 300 from above makes them short. Seen: -1 becomes a byte, 255, and what
# is below that becomes it, as 5 and 200 are not found to be more than -1 either. With a fraction, -1.5, or with both limits at once the bytes are as they were.
# Seen in pdl 1:2.081-2 of Debian.
source "$(dirname "$0")/pdl.bash"
each <<'CASES' | tee out
byte(5,200)->hclip(300)
byte(5,200)->lclip(-1)
byte(5,200)->lclip(-1.5)
short(5,200)->lclip(-1)
byte(5,200)->clip(-1,300)
byte(5,200) > -1
CASES
diff out - <<'OUT'
byte(5,200)->hclip(300): [5 200] short
byte(5,200)->lclip(-1): [255 255] byte
byte(5,200)->lclip(-1.5): [5 200] double
short(5,200)->lclip(-1): [5 200] short
byte(5,200)->clip(-1,300): [5 200] short
byte(5,200) > -1: [0 0] byte
OUT
echo 'as found: the lower limit is above all'
