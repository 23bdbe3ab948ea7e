#!/usr/bin/env bash
# xsimd: 0 to the power of 0 is 0.
#
# The C library says 1 for each number to the power of 0, also for NaN. pow of batches says 0 for 0 and NaN for NaN, and -1 for the float -1 to the power of
# 1e10, since the exponent is looked at as an integer of 32 bits. In a polynomial the constant is lost at 0.
# Seen in libxsimd-dev 8.1.0-7 of Debian.
source "$(dirname "$0")/debian.bash"
unpack libxsimd-dev=8.1.0-7
cat >main.cpp <<'C'
#include <cmath>
#include <cstdio>
#include <xsimd/xsimd.hpp>
template <class T> double power(double x, double y) {
  double z = xsimd::pow(xsimd::batch<T, xsimd::sse2>(x), xsimd::batch<T, xsimd::sse2>(y)).get(0);
  return std::isnan(z) ? std::nan("") : z;
}
int main() {
  double pairs[][2] = {{2, 0}, {0, 0}, {NAN, 0}, {-1, 2}, {-1, 1e10}};
  for (auto &p : pairs) std::printf("%g ^ %g: float %g, double %g, C %g\n", p[0], p[1], power<float>(p[0], p[1]), power<double>(p[0], p[1]), std::pow(p[0], p[1]));
}
C
g++ -std=c++17 -w -O1 -I root/usr/include main.cpp -o main
./main | tee out
diff out - <<'OUT'
2 ^ 0: float 1, double 1, C 1
0 ^ 0: float 0, double 0, C 1
nan ^ 0: float nan, double nan, C 1
-1 ^ 2: float 1, double 1, C 1
-1 ^ 1e+10: float -1, double 1, C 1
OUT
echo 'as found: 0 to the power of 0 is 0'
