#!/usr/bin/env bash
# xsimd: the angle of 0, 0 is not a number.
#
# atan2(0, 0) is 0 in the C library, so that zero has an angle, and that of two infinities is half a right one. In a batch both are NaN, since the numbers are
# divided first. All-zero lanes are what a mask or the filling of the last batch leaves.
# Seen in libxsimd-dev 8.1.0-7 of Debian.
source "$(dirname "$0")/debian.bash"
unpack libxsimd-dev=8.1.0-7
cat >main.cpp <<'C'
#include <cmath>
#include <cstdio>
#include <xsimd/xsimd.hpp>
using D = xsimd::batch<double, xsimd::sse2>;
int main() {
  double pairs[][2] = {{0, 1}, {0, -1}, {1, 0}, {0, 0}, {INFINITY, INFINITY}};
  for (auto &p : pairs) std::printf("atan2(%g, %g): %g, C %g\n", p[0], p[1], std::fabs(xsimd::atan2(D(p[0]), D(p[1])).get(0)), std::atan2(p[0], p[1]));
}
C
g++ -std=c++17 -w -O1 -I root/usr/include main.cpp -o main
./main | tee out
diff out - <<'OUT'
atan2(0, 1): 0, C 0
atan2(0, -1): 3.14159, C 3.14159
atan2(1, 0): 1.5708, C 1.5708
atan2(0, 0): nan, C 0
atan2(inf, inf): nan, C 0.785398
OUT
echo 'as found: zero has no angle'
