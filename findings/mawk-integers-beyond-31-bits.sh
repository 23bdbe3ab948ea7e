#!/usr/bin/env bash
# mawk as Debian has it: printf with %d of 2^31 is 2147483647, and print of 2^31 is 2.14748e+09.
#
# Numbers are doubles, and POSIX has whole ones converted into text as by %d. This version takes 32 bits for both: %d stops at the largest of them, %x of -1
# is 0, and print of what is larger has six digits, so that a sum of bytes over 2 GiB loses its last ones, and a key of an array made of it too. %.0f is
# right.
# Seen in mawk 1.3.4.20200120-3.1 of Debian.
source "$(dirname "$0")/debian.bash"
unpack mawk=1.3.4.20200120-3.1
root/usr/bin/mawk 'BEGIN {
  for (x = 2147483646; x <= 2147483649; x++) { printf "%.0f %d ", x, x; print x }
  printf "%.0f %d\n", 123456789012, 123456789012
  seen[3000000001]; seen[3000000002]; for (key in seen) n++
  print n, "key"
}' | tee out
diff out - <<'OUT'
2147483646 2147483646 2147483646
2147483647 2147483647 2147483647
2147483648 2147483647 2.14748e+09
2147483649 2147483647 2.14748e+09
123456789012 2147483647
1 key
OUT
echo 'as found: 2147483648 is 2147483647'
