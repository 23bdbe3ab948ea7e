#!/usr/bin/env bash
# Wcalc: the factorials of -1, -5 and 0.5 are 1, and 2.9! is 6.
#
# Negative numbers have no factorial, and that of 0.5 is by the gamma function 0.886. A calculator of arbitrary precision takes the nearest whole number, and
# of what is below 1 it says 1 without an error.
# Seen in wcalc 2.5-3+b1 of Debian.
source "$(dirname "$0")/debian.bash"
unpack wcalc=2.5-3+b1
for e in '5!' '2.9!' '0.5!' '(-1)!' '(-5)!' 'fact(-5)'; do echo "$e: $(echo | root/usr/bin/wcalc -q -- "$e" | tail -n 1)"; done | tee out
diff out - <<'OUT'
5!:    120
2.9!:    6
0.5!:    1
(-1)!:    1
(-5)!:    1
fact(-5):    1
OUT
echo 'as found: the factorial of -5 is 1'
