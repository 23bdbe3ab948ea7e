#!/usr/bin/env bash
# SIMDe: shifted right by 32, a number of 32 bits is what it was; shifted left it is 0.
#
# _mm_srl_epi32 of SSE2 gives 0 for each count above 31, and _mm_srl_epi64 for each above 63. The portable versions of the two leave the numbers alone, while
# those for 16 bits, and those to the left, give 0. The intrinsics of the compiler stand beside it.
# Seen in libsimde-dev 0.7.4~rc2-2 of Debian, on amd64 with SIMDE_NO_NATIVE, which leaves its portable code.
source "$(dirname "$0")/debian.bash"
unpack libsimde-dev=0.7.4~rc2-2
cat >main.c <<'C'
#define SIMDE_NO_NATIVE
#include <simde/x86/sse2.h>
#include <emmintrin.h>
#include <stdio.h>
int main(void) {
  volatile int counts[] = {31, 32, 40};
  for (int i = 0; i < 3; i++) {
    int n = counts[i];
    printf("by %d: srl %d, native %d; sll %d, native %d\n", n, simde_mm_cvtsi128_si32(simde_mm_srl_epi32(simde_mm_set1_epi32(1000), simde_mm_cvtsi32_si128(n))),
      _mm_cvtsi128_si32(_mm_srl_epi32(_mm_set1_epi32(1000), _mm_cvtsi32_si128(n))), simde_mm_cvtsi128_si32(simde_mm_sll_epi32(simde_mm_set1_epi32(1000), simde_mm_cvtsi32_si128(n))),
      _mm_cvtsi128_si32(_mm_sll_epi32(_mm_set1_epi32(1000), _mm_cvtsi32_si128(n))));
  }
  return 0;
}
C
gcc -w -O1 -I root/usr/include main.c -o main -lm
./main | tee out
diff out - <<'OUT'
by 31: srl 0, native 0; sll 0, native 0
by 32: srl 1000, native 0; sll 0, native 0
by 40: srl 1000, native 0; sll 0, native 0
OUT
echo 'as found: 1000 shifted away is 1000'
