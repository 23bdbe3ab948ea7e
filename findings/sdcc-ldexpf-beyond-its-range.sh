#!/usr/bin/env bash
# SDCC: ldexpf doesn't look at the range of exponents, which begins again at its other end.
#
# ldexpf(1, -140), which is a small number or 0, is 8.3e34, and ldexpf(1, 200), which is infinite, is 1.4e-17.
# Seen in sdcc 4.2.0+dfsg-1 of Debian (port stm8, in its simulator).
set -euo pipefail
source "$(dirname "$0")/sdcc.bash"
results >seen.txt <<'C'
void main(void) {
  tell(ldexpf(var(1.0f), 10));
  tell(ldexpf(var(1.0f), -140));
  tell(ldexpf(var(1.0f), 200));
  done();
}
C
expect '44800000 79800000 23800000' seen.txt
echo 'as found: ldexpf(1, -140) is 8.3e34, and ldexpf(1, 200) is 1.4e-17'
