#!/usr/bin/env bash
# PDL: of the integer 1 the sine is 0, and the tangent 1.557.
#
# One would expect that all functions give floats for integers of 32 bits, or that none does. Seen: sin, cos, sqrt and log10 give an integer, cut off, and exp and tan
# floats, so that sine and cosine of 1 are both 0, and their quotient is no tangent. norm makes 0, 0 of 3, 4, where floats are 0.6, 0.8.
# Seen in pdl 1:2.081-2 of Debian.
source "$(dirname "$0")/pdl.bash"
each <<'CASES' | tee out
sin(long(1))
cos(long(1))
tan(long(1))
sqrt(long(2))
long(2)**0.5
log10(long(50))
exp(long(1))
norm(long(3,4))
norm(pdl(3,4))
CASES
diff out - <<'OUT'
sin(long(1)): 0 long
cos(long(1)): 0 long
tan(long(1)): 1.5574077246549 ldouble
sqrt(long(2)): 1 long
long(2)**0.5: 1.4142135623731 double
log10(long(50)): 1 long
exp(long(1)): 2.71828182845905 ldouble
norm(long(3,4)): [0 0] long
norm(pdl(3,4)): [0.6 0.8] double
OUT
echo 'as found: the sine of 1 is 0'
