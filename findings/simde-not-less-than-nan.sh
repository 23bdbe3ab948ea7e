#!/usr/bin/env bash
# SIMDe: a number is neither less nor not less than NaN.
#
# _mm_cmpnlt_ps is the negation of _mm_cmplt_ps, and true where one of the two is NaN; so are nle, ngt and nge, for floats and doubles. The portable versions
# compare with >= and so on, which is false. A loop that leaves elements out by "not less" keeps NaN with the instructions and loses it without.
# Seen in libsimde-dev 0.7.4~rc2-2 of Debian, on amd64 with SIMDE_NO_NATIVE, which leaves its portable code.
source "$(dirname "$0")/debian.bash"
unpack libsimde-dev=0.7.4~rc2-2
cat >main.c <<'C'
#define SIMDE_NO_NATIVE
#include <simde/x86/sse2.h>
#include <emmintrin.h>
#include <math.h>
#include <stdio.h>
#define TELL(f) printf(#f ": portable %x, native %x\n", simde_mm_movemask_ps(simde_mm_##f##_ps(simde_mm_loadu_ps(a), simde_mm_loadu_ps(b))), _mm_movemask_ps(_mm_##f##_ps(_mm_loadu_ps(a), _mm_loadu_ps(b))))
int main(void) {
  float a[4] = {1, 2, 3, NAN}, b[4] = {2, 2, 2, 2};
  TELL(cmplt);
  TELL(cmpnlt);
  TELL(cmpnle);
  TELL(cmpngt);
  TELL(cmpnge);
  TELL(cmpneq);
  return 0;
}
C
gcc -w -O1 -I root/usr/include main.c -o main -lm
./main | tee out
diff out - <<'OUT'
cmplt: portable 1, native 1
cmpnlt: portable 6, native e
cmpnle: portable 4, native c
cmpngt: portable 3, native b
cmpnge: portable 1, native 9
cmpneq: portable d, native d
OUT
echo 'as found: NaN is in neither half'
