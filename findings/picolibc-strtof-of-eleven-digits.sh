#!/usr/bin/env bash
# picolibc: strtof of 18817501.092 is 18817500, and not 18817502.
#
# Floats of that size are even numbers. 18817501 lies between two of them and is rounded to the one that ends in an even bit, 18817500; 18817501.092 lies nearer
# to 18817502. The digits behind those that fit into the 32 bits of the mantissa are dropped, and not kept in mind for the rounding. strtod is right.
# Seen in picolibc-arm-none-eabi 1.8-1 of Debian, in qemu-arm.
set -euo pipefail
source "$(dirname "$0")/picolibc.bash"
run <<'C' | tee out
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  printf("%.9g %.9g %.9g\n", strtof("18817501", 0), strtof("18817501.092", 0), (float)strtod("18817501.092", 0));
  return 0;
}
C
[[ $(cat out) == '18817500 18817500 18817502' ]] || { echo 'that has changed'; exit 1; }
echo 'as found: 0.092 is lost before the number is rounded'
