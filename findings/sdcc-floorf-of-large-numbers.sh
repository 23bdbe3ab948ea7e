#!/usr/bin/env bash
# SDCC: floorf and ceilf of numbers that an int of 32 bits can't hold are other numbers, with other signs.
#
# A float of that size is a whole number, so that it should stay as it is. floorf(1e10) is -1, ceilf(1e10) is -1, floorf(-1e10) is 1, and floorf(3e9) is
# -1294967296. Quantization that clamps after it rounds clamps to the wrong end.
# Seen in sdcc 4.2.0+dfsg-1 of Debian (port stm8, in its simulator).
set -euo pipefail
source "$(dirname "$0")/sdcc.bash"
results >seen.txt <<'C'
void main(void) {
  tell(floorf(var(2.5f)));
  tell(floorf(var(1e10f)));
  tell(ceilf(var(1e10f)));
  tell(floorf(var(-1e10f)));
  tell(floorf(var(3e9f)));
  done();
}
C
expect '40000000 bf800000 bf800000 3f800000 ce9a5f44' seen.txt
echo 'as found: floorf of 2.5 is 2, of 1e10 and -1e10 it is -1 and 1'
