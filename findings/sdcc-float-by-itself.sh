#!/usr/bin/env bash
# SDCC: a float variable divided by itself is 1.4e-45, not 1.
#
# The compiler simplifies x / x to the integer 1, and takes its bits for those of a float: 00000001. It does so for 5 as for 0 (0 / 0 of two variables is NaN), so
# that a normalization by the only element of a row gives nothing, and x / x + 1 is 1.
# Seen in sdcc 4.2.0+dfsg-1 of Debian (port stm8, in its simulator).
set -euo pipefail
source "$(dirname "$0")/sdcc.bash"
results >seen.txt <<'C'
static float normalized(float x) { return x / x; }
void main(void) {
  float x = var(5.0f), y = var(5.0f);
  tell(x / y);
  tell(x / x);
  tell(normalized(y));
  tell(x / x + 1.0f);
  done();
}
C
expect '3f800000 00000001 00000001 3f800000' seen.txt
echo 'as found: of x = y = 5, x / y is 1, and x / x is 1.4e-45'
