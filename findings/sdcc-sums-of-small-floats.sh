#!/usr/bin/env bash
# SDCC: the sum of the two smallest floats is the smallest normal number and a bit, eight million times as much; sums don't round, and conversions do, upwards.
#
# Denormal numbers are kept in memory and by multiplication with 1, but a sum of two takes their bits for those of numbers with a leading one:
# 1.4e-45 + 1.4e-45 is 1.1754945e-38. Sums are cut off, not rounded: 16777216 + 3 is 16777218, where 16777220 is the even neighbour. The float of the integer
# 16777217, which lies in the middle as well, is the upper neighbour, 16777218. And 0 - 0 is -0.
# Seen in sdcc 4.2.0+dfsg-1 of Debian (port stm8, in its simulator).
set -euo pipefail
source "$(dirname "$0")/sdcc.bash"
results >seen.txt <<'C'
volatile int32_t whole = 16777217;
void main(void) {
  tell(var(of(1)) + of(1));
  tell(var(of(1)) * 1.0f);
  tell(var(16777216.0f) + 3.0f);
  tell((float)whole);
  tell(0.0f - var(0.0f));
  done();
}
C
expect '00800001 00000001 4b800001 4b800001 80000000' seen.txt
echo 'as found: 1.4e-45 + 1.4e-45 is 1.1754945e-38, and 16777216 + 3 is 16777218'
