#!/usr/bin/env bash
# GNU datamash: with bins of 10, 10 is in the bin of 10 and -10 in the bin of -20.
#
# A bin is named by its lower end and holds it: 10 to 19 are in 10, 0 to 9 in 0. For negative numbers it holds its upper end, and not its lower one: -10 is in
# -20, and what is in the bin of -10 are the nine integers from -9 to -1.
# Seen in datamash 1.7-2 of Debian.
source "$(dirname "$0")/debian.bash"
unpack datamash=1.7-2
for x in -20 -11 -10 -9 -1 0 9 10 19 20; do echo "$x $(echo "$x" | root/usr/bin/datamash bin:10 1)"; done | tee out
diff out - <<'OUT'
-20 -30
-11 -20
-10 -20
-9 -10
-1 -10
0 0
9 0
10 10
19 10
20 20
OUT
echo 'as found: -10 is in the bin of -20'
