#!/usr/bin/env bash
# klibc: strtol of 9223372036854775808 is negative, and of a minus sign alone it says that it has read one.
#
# What doesn't fit is LONG_MAX or LONG_MIN, with ERANGE, by the standard of C. Here the number wraps around, without an error: -9223372036854775809 is positive.
# Where there is no number, the position after it is that of the text; here it is behind "-" and behind the x of "0x".
# Seen in libklibc-dev 2.0.12-1 of Debian (amd64).
set -euo pipefail
source "$(dirname "$0")/klibc.bash"
run <<'C' | tee out
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  static const char *texts[] = {"9223372036854775807", "9223372036854775808", "-9223372036854775809", "-", "0x"};
  for (int i = 0; i < 5; i++) {
    char *end;
    errno = 0;
    long x = strtol(texts[i], &end, i < 4 ? 10 : 16);
    printf("%s: %ld, error %d, read %d\n", texts[i], x, errno, (int)(end - texts[i]));
  }
  return 0;
}
C
diff out - <<'OUT'
9223372036854775807: 9223372036854775807, error 0, read 19
9223372036854775808: -9223372036854775808, error 0, read 19
-9223372036854775809: 9223372036854775807, error 0, read 20
-: 0, error 0, read 1
0x: 0, error 0, read 2
OUT
echo 'as found: a number that is too large is another one'
