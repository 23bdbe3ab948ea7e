#!/usr/bin/env bash
# avr-libc: fma has neither one rounding nor two.
#
# (1 + 2^-23) * (1 - 2^-23) - 1 is -2^-46, which an fma gives, and 0 with a product that is rounded to a float first. Here it is -4.6e-10, about 2^-31: the
# product has a few bits more than a float, and the rest is cut off. The error of a product, fma(x, y, -(x * y)), as sums with twice the precision use it, has
# few right digits: -4.19e-9 in place of -3.77e-9.
# Seen in avr-libc 1:2.0.0+Atmel3.6.2-3 of Debian, with its gcc-avr, in simavr.
set -euo pipefail
source "$(dirname "$0")/avr.bash"
run <<'C' | tee out
static void results(void) {
  volatile float a = 1 + 0x1p-23f, b = 1 - 0x1p-23f;
  printf("%.2e\n", fma(a, b, -1));
  volatile float x = 1.05748796f, y = 1.07353532f;
  volatile float product = x * y;
  printf("%.2e\n", fma(x, y, -product));
}
C
# The same in doubles, which hold the product of two floats.
cat >exact.c <<'C'
#include <stdio.h>
int main(void) {
  volatile float x = 1.05748796f, y = 1.07353532f;
  volatile float product = x * y;
  printf("%.2e\n", (double)x * y - product);
}
C
gcc exact.c -o exact
./exact | tee -a out
diff out - <<'OUT'
-4.64e-10
-4.19e-09
-3.77e-09
OUT
echo 'as found: the product is neither exact nor a float'
