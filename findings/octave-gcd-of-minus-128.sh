#!/usr/bin/env bash
# GNU Octave: the greatest common divisor of -128 and 64 is 1 as int8, and 64 as int16.
#
# The lowest number of a type has no absolute value in it. For abs Octave gives the highest one, 127, and gcd goes on with that; 127 is a prime, and the highest
# int32 is one too. The result divides neither, and gcd of -128 and 0 is 127. lcm of the same numbers is -128.
# Seen in octave 7.3.0-2 of Debian.
source "$(dirname "$0")/octave.bash"
each <<'CASES' | tee out
gcd(int16(-128),int16(64))
gcd(int8(-128),int8(64))
gcd(int8(-128),int8(0))
lcm(int8(-128),int8(64))
gcd(int32(-2147483648),int32(4))
CASES
diff out - <<'OUT'
gcd(int16(-128),int16(64)): 64
gcd(int8(-128),int8(64)): 1
gcd(int8(-128),int8(0)): 127
lcm(int8(-128),int8(64)): -128
gcd(int32(-2147483648),int32(4)): 1
OUT
echo 'as found: 64 and -128 have no common divisor'
