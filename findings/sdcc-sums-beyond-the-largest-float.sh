#!/usr/bin/env bash
# SDCC: a sum that is too large is no infinity but a number beyond it, from which one comes back; a NaN equals itself.
#
# 3.4e38 + 3.4e38 has the bits of a NaN, and minus 3.4e38 it is 3.4e38 again, though 3.4e38 * 10 is infinite. A NaN, such as 0 / 0, equals itself, and is less
# than 1 or more than 1 by its sign, so that `x != x` finds none.
# Seen in sdcc 4.2.0+dfsg-1 of Debian (port stm8, in its simulator).
set -euo pipefail
source "$(dirname "$0")/sdcc.bash"
results >seen.txt <<'C'
void main(void) {
  float nan = var(of(0x7fc00000)), zero = var(0.0f), other = var(0.0f);
  tell(var(3.4e38f) + 3.4e38f);
  tell(var(3.4e38f) + 3.4e38f - var(3.4e38f));
  tell(var(3.4e38f) * 10.0f);
  tell(zero / other);
  tell(nan == nan ? 1.0f : 0.0f);
  tell(nan > 1.0f ? 1.0f : 0.0f);
  tell(zero / other < 1.0f ? 1.0f : 0.0f);
  done();
}
C
expect '7fffc99e 7f7fc99e 7f800000 ffc00000 3f800000 3f800000 3f800000' seen.txt
echo 'as found: 3.4e38 + 3.4e38 - 3.4e38 is 3.4e38, and NaN equals itself'
