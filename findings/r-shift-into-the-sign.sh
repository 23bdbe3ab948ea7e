#!/usr/bin/env bash
# R: 1, shifted left by 31, is NA, and -1, shifted left by 1, is -2.
#
# Shifts are documented as those of numbers of 32 bits without a sign: 1 becomes 2^31, and -1, as 2^32 - 1, becomes 2^32 - 2. The result has a sign all the
# same, and the bits of 2^31 are those that stand for NA. Shifted right -1 is positive, so that a shift there and back is no identity.
# Seen in r-base-core 4.2.2.20221110-2 of Debian.
source "$(dirname "$0")/r.bash"
each <<'CASES' | tee out
bitwShiftL(1L, 30L)
bitwShiftL(1L, 31L)
bitwShiftL(3L, 30L)
bitwShiftL(-1L, 1L)
bitwShiftR(-1L, 1L)
bitwShiftL(3L, 31L)
bitwAnd(bitwShiftL(1L, 31L), 1L)
CASES
diff out - <<'OUT'
bitwShiftL(1L, 30L): 1073741824
bitwShiftL(1L, 31L): NA
bitwShiftL(3L, 30L): -1073741824
bitwShiftL(-1L, 1L): -2
bitwShiftR(-1L, 1L): 2147483647
bitwShiftL(3L, 31L): NA
bitwAnd(bitwShiftL(1L, 31L), 1L): NA
OUT
echo 'as found: 2^31 is missing'
