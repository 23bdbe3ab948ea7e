#!/usr/bin/env bash
# PDL: the average of 2000000000 and 2000000000 is -147483648, that of 1 and 2 is 1, and in the statistics of both they are right.
#
# Sums of bytes are long, with 32 bits, so one would expect sums of long in 64, and averages in floats. Seen: avg and average are of the type of the sum, cut off, and
# the sum of long is long, so that the average of two numbers can be below both. stats of the same numbers has floats; rebin, which averages neighbours, adds up bytes
# in a byte: 200 and 100 become 22.
# Seen in pdl 1:2.081-2 of Debian.
source "$(dirname "$0")/pdl.bash"
each <<'CASES' | tee out
long(1,2)->avg
(stats(long(1,2)))[0]
long(2000000000,2000000000)->avg
(stats(long(2000000000,2000000000)))[0]
byte(200,100)->avg
rebin(byte(200,100,50,60),2)
rebin(pdl(200,100,50,60),2)
CASES
diff out - <<'OUT'
long(1,2)->avg: 1 long
(stats(long(1,2)))[0]: 1.5 float
long(2000000000,2000000000)->avg: -147483648 long
(stats(long(2000000000,2000000000)))[0]: 2000000000 float
byte(200,100)->avg: 150 long
rebin(byte(200,100,50,60),2): [22 55] byte
rebin(pdl(200,100,50,60),2): [150 55] double
OUT
echo 'as found: an average is below all'
