#!/usr/bin/env bash
# GNU Octave: idivide of -7 and 2, which rounds towards zero by its default "fix", is -4.
#
# The manual has the default of idivide as fix, towards zero. It is so where the number that is divided is positive, whatever the sign of the other. A negative
# one is rounded down as by "floor": -7 / 2 is -4, and -10 / 7 is -2. fix(-7 / 2) of the same numbers as doubles is -3.
# Seen in octave 7.3.0-2 of Debian.
source "$(dirname "$0")/octave.bash"
each <<'CASES' | tee out
idivide(int32([7 8 9]),int32(2))
idivide(int32([-7 -8 -9]),int32(2))
idivide(int32([-7 -8 -9]),int32(2),"fix")
idivide(int32(7),int32(-2))
idivide(int32(-10),int32([3 4 6 7]))
fix(-7/2)
CASES
diff out - <<'OUT'
idivide(int32([7 8 9]),int32(2)): 3 4 4
idivide(int32([-7 -8 -9]),int32(2)): -4 -4 -5
idivide(int32([-7 -8 -9]),int32(2),"fix"): -4 -4 -5
idivide(int32(7),int32(-2)): -3
idivide(int32(-10),int32([3 4 6 7])): -4 -3 -2 -2
fix(-7/2): -3
OUT
echo 'as found: -7 / 2 towards zero is -4'
