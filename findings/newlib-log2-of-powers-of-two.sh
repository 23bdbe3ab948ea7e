#!/usr/bin/env bash
# newlib: log2 of some powers of two is more or less than the exponent.
#
# log2 is the logarithm divided by that of 2: log2(536870912), which is 29, is 29.000000000000004. So ceil(log2(n)), as for the size of a table, is 30. Of the powers
# from 2^0 to 2^63, 9 are wrong in double precision, and 11 in single precision.
# Seen in libnewlib-arm-none-eabi 3.3.0-1.3+deb12u1 of Debian, with its gcc-arm-none-eabi, in qemu-arm.
set -euo pipefail
source "$(dirname "$0")/newlib.bash"
run <<'C' | tee seen.txt
#include <math.h>
#include <stdio.h>
volatile int n;
int main(void) {
  int i, wrong = 0, wrongf = 0;
  for (i = 0; i < 64; i++) {
    n = i;
    wrong += log2(ldexp(1, n)) != n;
    wrongf += log2f(ldexpf(1, n)) != n;
  }
  n = 29;
  printf("of 64: %d %d; %.0f\n", wrong, wrongf, ceil(log2(ldexp(1, n))));
  return 0;
}
C
[[ $(cat seen.txt) == 'of 64: 9 11; 30' ]] || { echo 'that has changed'; exit 1; }
echo 'as found: ceil(log2(2^29)) is 30'
