#!/usr/bin/env bash
# SIMDe: 5 with the sign of 0 is 0 in 16 bytes, and 5 in 32 bytes.
#
# _mm_sign_epi8 makes 0 of an element whose partner is 0, and so does _mm256_sign_epi8 of AVX2. The portable version of the second only looks whether the
# partner is negative; so does that for 16 bits.
# Seen in libsimde-dev 0.7.4~rc2-2 of Debian, on amd64 with SIMDE_NO_NATIVE, which leaves its portable code.
source "$(dirname "$0")/debian.bash"
unpack libsimde-dev=0.7.4~rc2-2
cat >main.c <<'C'
#define SIMDE_NO_NATIVE
#include <simde/x86/avx2.h>
#include <stdio.h>
#define FIRST(x) ((signed char)simde_mm_extract_epi8(x, 0))
int main(void) {
  for (int sign = -1; sign <= 1; sign++)
    printf("5 with the sign of %d: %d in 16 bytes, %d in 32 bytes; as 16 bits %d and %d\n", sign, FIRST(simde_mm_sign_epi8(simde_mm_set1_epi8(5), simde_mm_set1_epi8(sign))),
      FIRST(simde_mm256_castsi256_si128(simde_mm256_sign_epi8(simde_mm256_set1_epi8(5), simde_mm256_set1_epi8(sign)))),
      FIRST(simde_mm_sign_epi16(simde_mm_set1_epi16(5), simde_mm_set1_epi16(sign))),
      FIRST(simde_mm256_castsi256_si128(simde_mm256_sign_epi16(simde_mm256_set1_epi16(5), simde_mm256_set1_epi16(sign)))));
  return 0;
}
C
gcc -w -Wno-psabi -O1 -I root/usr/include main.c -o main -lm
./main | tee out
diff out - <<'OUT'
5 with the sign of -1: -5 in 16 bytes, -5 in 32 bytes; as 16 bits -5 and -5
5 with the sign of 0: 0 in 16 bytes, 5 in 32 bytes; as 16 bits 0 and 5
5 with the sign of 1: 5 in 16 bytes, 5 in 32 bytes; as 16 bits 5 and 5
OUT
echo 'as found: the sign of 0 is lost in 32 bytes'
