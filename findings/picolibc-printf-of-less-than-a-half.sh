#!/usr/bin/env bash
# picolibc: printf with %.0f makes 1 of 0.45.
#
# A number is first rounded to one digit, and that digit is then rounded again, where no digit of it is to be printed: 0.45 becomes 0.5, and 0.5 becomes 1. From
# 1 on there is one rounding only, to even: 1.45 and 1.5 are 1 and 2. So is 0.00497 with %.2f, which is 0.01 instead of 0.00.
# Seen in picolibc-arm-none-eabi 1.8-1 of Debian, in qemu-arm.
set -euo pipefail
source "$(dirname "$0")/picolibc.bash"
run <<'C' | tee out
#include <stdio.h>
volatile double x[] = {0.44, 0.45, 0.5, 1.45, 1.5, 2.5};
int main(void) {
  for (int i = 0; i < 6; i++) printf("%g: %.0f\n", x[i], x[i]);
  volatile double small = 0.00497, more = 1.00497;
  printf("%.2f %.2f\n", small, more);
  return 0;
}
C
diff out - <<'OUT'
0.44: 0
0.45: 1
0.5: 1
1.45: 1
1.5: 2
2.5: 2
0.01 1.00
OUT
echo 'as found: 0.45 is rounded to 1, and 1.45 to 1'
