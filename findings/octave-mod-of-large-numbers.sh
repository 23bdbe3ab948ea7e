#!/usr/bin/env bash
# GNU Octave: mod(1e20, 3) is 0, and mod(2^53 + 2, 3) is 2; both are 1.
#
# Both numbers are exact as doubles, and so is their remainder, which fmod of C finds. Octave divides, and rounds: as the manual has it, x - y * floor (x / y).
# For 2^53 + 2 the quotient is rounded up, and rem has the same. 1e20 is so near to a multiple, measured by its size, that it is taken for one.
# Seen in octave 7.3.0-2 of Debian.
source "$(dirname "$0")/octave.bash"
each <<'CASES' | tee out
mod(2^53 - 1, 3)
mod(2^53 + 2, 3)
rem(2^53 + 2, 3)
mod(uint64(2^53 + 2), uint64(3))
mod(1e20, 3)
mod(1e20, 7)
CASES
diff out - <<'OUT'
mod(2^53 - 1, 3): 1
mod(2^53 + 2, 3): 2
rem(2^53 + 2, 3): 2
mod(uint64(2^53 + 2), uint64(3)): 1
mod(1e20, 3): 0
mod(1e20, 7): 0
OUT
echo 'as found: the remainders of exact numbers are others'
