#!/usr/bin/env bash
# avr-gcc: a fraction with saturation times -1 isn't its negation: -1 * 0.5 is -0.49997.
#
# sat _Fract holds 16 bits, from -1 up to 1 - 2^-15. -1 * 0.5 is the fraction beside -0.5, and -1 * -1 the one below the largest fraction, to which it should
# saturate. -1 * 0.25 and -0.5 * 0.5 are right, and so is negation. Fractions of 8 and 32 bits do the same for -1 * -1.
# Seen in gcc-avr 1:5.4.0+Atmel3.6.2-3 of Debian, in simavr.
set -euo pipefail
source "$(dirname "$0")/avr.bash"
run <<'C' | tee out
static void tell(sat _Fract x) { printf("%d ", bitsr(x)); }
static void results(void) {
  volatile sat _Fract one = -1.0r, half = 0.5r, quarter = 0.25r;
  tell(one * half); tell(-half); tell(one * quarter); tell(-half * half); tell(one * one); tell(-one);
  volatile sat short _Fract narrow = -1.0hr;
  volatile sat long _Fract wide = -1.0lr;
  sat short _Fract n = narrow * narrow;
  sat long _Fract w = wide * wide;
  printf("%d %ld\n", bitshr(n), bitslr(w));
}
C
[[ $(cat out) == '-16383 -16384 -8192 -8192 32766 32767 126 2147483646' ]] || { echo 'that has changed'; exit 1; }
echo 'as found: -1 * 0.5 is -16383 of 32768, and -0.5 is -16384'
