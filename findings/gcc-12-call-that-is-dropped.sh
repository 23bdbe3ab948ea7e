#!/usr/bin/env bash
# gcc 12: at -O1 and -O2 a call of a function that multiplies a matrix by itself, in place, is dropped.
#
# The address of one of the three elements is computed from the pointers of the other two, so that the pointer that it belongs to isn't in it any more. The compiler then takes it for an access by the null pointer,
# looks no further in that block, doesn't see that the function writes, and drops the call since nobody needs its result. It isn't so at -O0 and -O3, with -fno-delete-null-pointer-checks, and in gcc 11 and
# clang.
# Seen in gcc-12 12.2.0-14+deb12u1 of Debian, on amd64; gcc-11 11.3.0-12 is right.
source "$(dirname "$0")/debian.bash"
unpack gcc-12=12.2.0-14+deb12u1 cpp-12=12.2.0-14+deb12u1 gcc-11=11.3.0-12 cpp-11=11.3.0-12 libisl23=0.25-1.1 libmpc3=1.3.1-1 libmpfr6=4.2.0-1 libgmp10=2:6.2.1+dfsg1-1.1
export LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
cat >main.c <<'C'
int printf(const char *, ...);
__attribute__((noinline)) void product(float *a) {
  for (long i = 0; i < 8; i++)
    for (long j = 0; j < 8; j++)
      for (long k = 0; k < 8; k++)
        a[i * 8 + j] = a[i * 8 + j] + a[i * 8 + k] * a[j + k * 8];
}
int main(void) {
  float a[64];
  for (int i = 0; i < 64; i++) a[i] = (float)(i % 5) / 8;
  product(a);
  printf("%g %g\n", a[0], a[1]);
  return 0;
}
C
try() {
	root/usr/bin/"$@" -S main.c -o main.s
	cc main.s -o main
	echo "$*: $(./main)"
}
{
	for o in -O0 -O1 -O2 -O3 '-O2 -fno-delete-null-pointer-checks'; do try gcc-12 $o; done
	for o in -O1 -O2; do try gcc-11 $o; done
} | tee out
diff out - <<'OUT'
gcc-12 -O0: 0.46875 0.650391
gcc-12 -O1: 0 0.125
gcc-12 -O2: 0 0.125
gcc-12 -O3: 0.46875 0.650391
gcc-12 -O2 -fno-delete-null-pointer-checks: 0.46875 0.650391
gcc-11 -O1: 0.46875 0.650391
gcc-11 -O2: 0.46875 0.650391
OUT
echo 'as found: the call is dropped'
