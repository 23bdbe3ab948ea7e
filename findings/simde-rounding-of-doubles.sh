#!/usr/bin/env bash
# SIMDe: 2.5 as a double is rounded to 3, and as a float to 2.
#
# _mm_cvtpd_epi32 and _mm_cvtsd_si32 round halves to even, as _mm_cvtps_epi32 and _mm_cvtss_si32 do. The portable versions for floats do, and those for doubles
# round halves away from zero. A sum of many such roundings is too large.
# Seen in libsimde-dev 0.7.4~rc2-2 of Debian, on amd64 with SIMDE_NO_NATIVE, which leaves its portable code.
source "$(dirname "$0")/debian.bash"
unpack libsimde-dev=0.7.4~rc2-2
cat >main.c <<'C'
#define SIMDE_NO_NATIVE
#include <simde/x86/sse2.h>
#include <emmintrin.h>
#include <stdio.h>
int main(void) {
  volatile double list[] = {-2.5, -0.5, 0.5, 1.5, 2.5};
  for (int i = 0; i < 5; i++) {
    double x = list[i];
    printf("%g: pd %d, sd %d, native %d; ps %d, ss %d, native %d\n", x, simde_mm_cvtsi128_si32(simde_mm_cvtpd_epi32(simde_mm_set1_pd(x))), simde_mm_cvtsd_si32(simde_mm_set_sd(x)),
      _mm_cvtsd_si32(_mm_set_sd(x)), simde_mm_cvtsi128_si32(simde_mm_cvtps_epi32(simde_mm_set1_ps(x))), simde_mm_cvtss_si32(simde_mm_set_ss(x)), _mm_cvtss_si32(_mm_set_ss(x)));
  }
  return 0;
}
C
gcc -w -O1 -I root/usr/include main.c -o main -lm
./main | tee out
diff out - <<'OUT'
-2.5: pd -3, sd -3, native -2; ps -2, ss -2, native -2
-0.5: pd -1, sd -1, native 0; ps 0, ss 0, native 0
0.5: pd 1, sd 1, native 0; ps 0, ss 0, native 0
1.5: pd 2, sd 2, native 2; ps 2, ss 2, native 2
2.5: pd 3, sd 3, native 2; ps 2, ss 2, native 2
OUT
echo 'as found: halves go up as doubles, and to even as floats'
