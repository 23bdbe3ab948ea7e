#!/usr/bin/env bash
# SDCC: a power of a negative number is 0, also where the exponent is 2; and 2 to the 10th is less than 1024.
#
# powf is the exponential of a multiple of a logarithm, which there is none of for negative numbers: powf(-2, 2), as a mean of squares has it, is 0, not 4 and not
# NaN. powf(2, 10) is 1023.9995 and powf(3, 3) is 26.999994, which become 1023 and 26 as integers.
# Seen in sdcc 4.2.0+dfsg-1 of Debian (port stm8, in its simulator).
set -euo pipefail
source "$(dirname "$0")/sdcc.bash"
results >seen.txt <<'C'
void main(void) {
  tell(powf(var(-2.0f), 2.0f));
  tell(powf(var(2.0f), 10.0f));
  tell((float)(int32_t)powf(var(2.0f), 10.0f));
  tell(powf(var(3.0f), 3.0f));
  done();
}
C
expect '00000000 447ffff8 447fc000 41d7fffd' seen.txt
echo 'as found: powf(-2, 2) is 0, and the integer of powf(2, 10) is 1023'
