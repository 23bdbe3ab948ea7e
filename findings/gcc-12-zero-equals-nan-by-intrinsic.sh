#!/usr/bin/env bash
# gcc 12: by the intrinsic _mm_comieq_ss, 0 equals NaN and is less than it.
#
# The instruction sets three flags where one of the two is NaN, and the compiler looks at one: comieq, comilt, comile and ucomieq are 1, and comineq is 0.
# Intel says that a comparison with NaN is false. clang looks at the others as well. The comparison 0 == NaN in C, and _mm_cmpeq_ss, are right in both.
# Seen in gcc-12 12.2.0-14+deb12u1 and clang-14 1:14.0.6-12 of Debian, on amd64.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download gcc-12=12.2.0-14+deb12u1 cpp-12=12.2.0-14+deb12u1 libgcc-12-dev=12.2.0-14+deb12u1 libisl23=0.25-1.1 libmpc3=1.3.1-1 \
	libmpfr6=4.2.0-1 libgmp10=2:6.2.1+dfsg1-1.1 clang-14=1:14.0.6-12 libclang-cpp14=1:14.0.6-12 libclang-common-14-dev=1:14.0.6-12 libllvm14=1:14.0.6-12
for p in ./*.deb; do dpkg -x "$p" root; done
export LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
cat >main.c <<'C'
#include <stdio.h>
#include <xmmintrin.h>
int main(void) {
  volatile float zero = 0, nan = __builtin_nanf("");
  __m128 a = _mm_set_ss(zero), b = _mm_set_ss(nan);
  printf("eq %d lt %d le %d gt %d ge %d neq %d, in C %d\n", _mm_comieq_ss(a, b), _mm_comilt_ss(a, b), _mm_comile_ss(a, b), _mm_comigt_ss(a, b), _mm_comige_ss(a, b),
    _mm_comineq_ss(a, b), zero == nan);
  return 0;
}
C
root/usr/bin/gcc-12 -O1 -S main.c -o by-gcc.s
root/usr/lib/llvm-14/bin/clang -O1 -fno-addrsig -S main.c -o by-clang.s
for c in gcc clang; do cc by-$c.s -o by-$c -no-pie; done
for c in gcc clang; do echo -n "$c: " && ./by-$c; done | tee out
diff out - <<'OUT'
gcc: eq 1 lt 1 le 1 gt 0 ge 0 neq 0, in C 0
clang: eq 0 lt 0 le 0 gt 0 ge 0 neq 1, in C 0
OUT
echo 'as found: 0 equals NaN'
