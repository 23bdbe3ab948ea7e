#!/usr/bin/env bash
# PDL: the mode of 2.5, 2.5 and 1 is 2, and that of 1, 2, 3 and 4 is 0.
#
# modeover gives the value that is there most often. One would expect 2.5, and for numbers that are all there once one of them, or "bad", as PDL has it for what there
# isn't. Seen: floats are cut off to integers first, so that of 0.1, 0.2, 0.3, 5 and 5 the mode is 0, and where no number comes twice it is 0, for one number, too.
# Seen in pdl 1:2.081-2 of Debian.
source "$(dirname "$0")/pdl.bash"
each <<'CASES' | tee out
pdl(5,5,2)->modeover
pdl(2.5,2.5,1)->modeover
pdl(0.1,0.2,0.3,5,5)->modeover
pdl(1,2,3,4)->modeover
long(7)->modeover
CASES
diff out - <<'OUT'
pdl(5,5,2)->modeover: 5 longlong
pdl(2.5,2.5,1)->modeover: 2 longlong
pdl(0.1,0.2,0.3,5,5)->modeover: 0 longlong
pdl(1,2,3,4)->modeover: 0 longlong
long(7)->modeover: 0 long
OUT
echo 'as found: a mode is none of the numbers'
