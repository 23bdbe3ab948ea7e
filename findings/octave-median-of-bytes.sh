#!/usr/bin/env bash
# GNU Octave: the median of the bytes 200 and 200 is 128.
#
# Integers stop at the end of their range, and the median of an even number of them is half of the sum of two: 200 + 200 is 255, and half of it 127.5. So all
# medians of bytes above 127, and of int8 above 63, are the same number. The mean of the same is computed in double precision, and is right.
# Seen in octave 7.3.0-2 of Debian.
source "$(dirname "$0")/octave.bash"
each <<'CASES' | tee out
median(uint8([200 200]))
median(uint8([200 200 200]))
mean(uint8([200 200]))
median(int8([100 101]))
median(int8([-100 -101]))
CASES
diff out - <<'OUT'
median(uint8([200 200])): 128
median(uint8([200 200 200])): 200
mean(uint8([200 200])): 200
median(int8([100 101])): 64
median(int8([-100 -101])): -64
OUT
echo 'as found: the median of 200 and 200 is 128'
