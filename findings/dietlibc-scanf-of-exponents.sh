#!/usr/bin/env bash
# dietlibc: sscanf reads 1e3 as 0, and says that it has read a number.
#
# An exponent without a sign isn't taken as positive: 1e0 is 0 as well, and -2.5e3 is minus zero. 1e+3 and 1e-3 are right, and so is strtod of 1e3.
# Seen in dietlibc-dev 0.34~cvs20160606-14 of Debian (amd64).
set -euo pipefail
source "$(dirname "$0")/dietlibc.bash"
run <<'C' | tee out
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  const char *text[] = {"1000", "1e3", "1e0", "2.5e1", "1e+3", "1e-3"};
  for (int i = 0; i < 6; i++) {
    double x = 77;
    int n = sscanf(text[i], "%lf", &x);
    printf("%s: %d number, %.3f, strtod %.3f\n", text[i], n, x, strtod(text[i], 0));
  }
  return 0;
}
C
diff out - <<'OUT'
1000: 1 number, 1000.000, strtod 1000.000
1e3: 1 number, 0.000, strtod 1000.000
1e0: 1 number, 0.000, strtod 1.000
2.5e1: 1 number, 0.000, strtod 25.000
1e+3: 1 number, 1000.000, strtod 1000.000
1e-3: 1 number, 0.001, strtod 0.001
OUT
echo 'as found: 1e3 is 0'
