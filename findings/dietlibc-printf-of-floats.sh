#!/usr/bin/env bash
# dietlibc: printf with %e prints nothing and takes no argument, %g never prints an exponent, and %f of minus zero has five decimals.
#
# What follows %e prints the argument that was meant for it. %g is %f without zeros at the end: 1e-10 is 0, and six digits of 1234.5678 are 1234.56, cut off and
# not rounded.
# Seen in dietlibc-dev 0.34~cvs20160606-14 of Debian (amd64).
set -euo pipefail
source "$(dirname "$0")/dietlibc.bash"
run <<'C' | tee out
#include <stdio.h>
volatile double x = 1234.5678, tiny = 1e-10, large = 1e20, zero = 0.0, none = -0.0;
int main(void) {
  printf("[%e] [%g]\n", x, large);
  printf("[%g] [%g] [%g]\n", x, tiny, large);
  printf("[%f] [%f] [%.2f] [%.2f]\n", zero, none, zero, none);
  return 0;
}
C
diff out - <<'OUT'
[] [1234.56]
[1234.56] [0] [100000000000000000000]
[0.000000] [-0.00000] [0.00] [-0.0]
OUT
echo 'as found: with %e there is no number'
