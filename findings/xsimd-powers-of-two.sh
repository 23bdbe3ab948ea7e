#!/usr/bin/env bash
# xsimd: 2 to the power of 127 is infinite as a float, and 2 to the power of 1023 as a double.
#
# 2 to the power of 127 is 1.7e38, and a float goes up to 3.4e38; in a batch it is infinite, as 2 to the power of 1023 is as a double, and exp(88.5), which is
# 2.7e38. The upper half of what the type can hold is out of reach. 2 to the power of 126.6 is right.
# Seen in libxsimd-dev 8.1.0-7 of Debian.
source "$(dirname "$0")/debian.bash"
unpack libxsimd-dev=8.1.0-7
cat >main.cpp <<'C'
#include <cmath>
#include <cstdio>
#include <xsimd/xsimd.hpp>
using F = xsimd::batch<float, xsimd::sse2>;
using D = xsimd::batch<double, xsimd::sse2>;
int main() {
  for (float x : {126.6f, 127.0f, 127.9f, 128.0f}) std::printf("2^%g as a float: %g, C %g\n", x, xsimd::exp2(F(x)).get(0), std::exp2(x));
  for (double x : {1022.6, 1023.0, 1023.9, 1024.0}) std::printf("2^%g as a double: %g, C %g\n", x, xsimd::exp2(D(x)).get(0), std::exp2(x));
  for (float x : {88.3f, 88.5f, 88.9f}) std::printf("exp(%g) as a float: %g, C %g\n", x, xsimd::exp(F(x)).get(0), std::exp(x));
}
C
g++ -std=c++17 -w -O1 -I root/usr/include main.cpp -o main
./main | tee out
diff out - <<'OUT'
2^126.6 as a float: 1.28943e+38, C 1.28943e+38
2^127 as a float: inf, C 1.70141e+38
2^127.9 as a float: inf, C 3.17495e+38
2^128 as a float: inf, C inf
2^1022.6 as a double: 6.81198e+307, C 6.81198e+307
2^1023 as a double: inf, C 8.98847e+307
2^1023.9 as a double: inf, C 1.67731e+308
2^1024 as a double: inf, C inf
exp(88.3) as a float: 2.22948e+38, C 2.22948e+38
exp(88.5) as a float: inf, C 2.72309e+38
exp(88.9) as a float: inf, C inf
OUT
echo 'as found: half of the largest power is infinite'
