#!/usr/bin/env bash
# GNU Octave: sprintf with %d of 2^63 ends in 807 and not in 808, and of the same number as uint64 it has an exponent.
#
# 2^63 is exact as a double, and beyond the range of int64. It is stopped at its end, and so is 2^64 at that of uint64, by %u. The
# uint64 2^63 is within the range of its type. %.0f prints all of them as they are.
# Seen in octave 7.3.0-2 of Debian.
source "$(dirname "$0")/octave.bash"
each <<'CASES' | tee out
sprintf("%d", 2^53)
sprintf("%d", 2^62)
sprintf("%d", 2^63)
sprintf("%d", uint64(2)^63)
sprintf("%u", 2^64)
sprintf("%d", 2^65)
sprintf("%.0f", 2^63)
CASES
diff out - <<'OUT'
sprintf("%d", 2^53): 9007199254740992
sprintf("%d", 2^62): 4611686018427387904
sprintf("%d", 2^63): 9223372036854775807
sprintf("%d", uint64(2)^63): 9.22337e+18
sprintf("%u", 2^64): 18446744073709551615
sprintf("%d", 2^65): 3.68935e+19
sprintf("%.0f", 2^63): 9223372036854775808
OUT
echo 'as found: the last digit of 2^63 is 7'
