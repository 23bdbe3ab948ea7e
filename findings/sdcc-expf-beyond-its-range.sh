#!/usr/bin/env bash
# SDCC: expf gives the largest number for arguments far below zero, and 0 for those far above it.
#
# Where the result would be out of range, the two ends are exchanged: expf(-100) is 3.4e38, and expf(100) is 0. So a softmax, which only takes exponentials of
# numbers of 0 and less, gives its weight to what is least likely. Within the range, from -87 to 88, expf is right.
# Seen in sdcc 4.2.0+dfsg-1 of Debian (port stm8, in its simulator).
set -euo pipefail
source "$(dirname "$0")/sdcc.bash"
results >seen.txt <<'C'
void main(void) {
  tell(expf(var(1.0f)));
  tell(expf(var(-87.0f)));
  tell(expf(var(-89.0f)));
  tell(expf(var(-100.0f)));
  tell(expf(var(89.0f)));
  tell(expf(var(100.0f)));
  done();
}
C
expect '402df854 00b33687 7f7fffff 7f7fffff 00000000 00000000' seen.txt
echo 'as found: expf of 1, -87, -89, -100, 89 and 100 is 2.718, 1.6e-38, 3.4e38, 3.4e38, 0 and 0'
