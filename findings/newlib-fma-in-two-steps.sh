#!/usr/bin/env bash
# newlib: fma rounds the product, and then the sum, which is what fma is there to avoid; and it makes a NaN of an infinity.
#
# (1 + 2^-52) * (1 - 2^-52) - 1 is -2^-104, and fma gives 0. The product of fma(1e200, 1e200, -INFINITY) overflows by itself, so that the result is NaN, not
# -INFINITY. A result with one rounding, as other machines give it, isn't the same on a core without such an instruction.
# Seen in libnewlib-arm-none-eabi 3.3.0-1.3+deb12u1 of Debian, with its gcc-arm-none-eabi, in qemu-arm.
set -euo pipefail
source "$(dirname "$0")/newlib.bash"
run <<'C' | tee seen.txt
#include <math.h>
#include <stdio.h>
volatile double a = 1 + 0x1p-52, b = 1 - 0x1p-52, one = 1, large = 1e200, endless = INFINITY;
int main(void) {
  printf("%g %d\n", fma(a, b, -one) * 0x1p104, isnan(fma(large, large, -endless)) != 0);
  return 0;
}
C
[[ $(cat seen.txt) == '0 1' ]] || { echo 'that has changed'; exit 1; }
echo 'as found: what is -1 times 2^-104 is 0, and what is minus infinity is NaN'
