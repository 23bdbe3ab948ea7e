#!/usr/bin/env bash
# Eigen: the square root of infinity is not a number in four floats out of five.
#
# Four floats at a time, the root is computed as the number times its inverse root, which is 0 for infinity, and infinity times 0 is NaN. Roots of numbers
# below 1e-38 are 0. Its documentation says of the fast way, EIGEN_FAST_MATH, which is the default, that it affects accuracy. The fifth of five floats is
# computed by itself and is right, so that the result depends on the place; doubles are right.
# Seen in libeigen3-dev 3.4.0-4 of Debian.
source "$(dirname "$0")/debian.bash"
unpack libeigen3-dev=3.4.0-4
cat >main.cpp <<'C'
#include <cmath>
#include <cstdio>
#include <Eigen/Core>
template <class T> void tell(const char *type, T x) {
  Eigen::Array<T, 5, 1> list = Eigen::Array<T, 5, 1>::Constant(x);
  Eigen::Array<T, 5, 1> roots = list.sqrt();
  std::printf("%s %g:", type, x);
  for (int i = 0; i < 5; i++) std::isnan(roots[i]) ? std::printf(" nan") : std::printf(" %g", roots[i]);
  std::puts("");
}
int main() {
  volatile double infinity = INFINITY, small = 1e-40;
  tell<float>("float", 4);
  tell<float>("float", infinity);
  tell<float>("float", small);
  tell<double>("double", infinity);
}
C
g++ -std=c++17 -w -O1 -I root/usr/include/eigen3 main.cpp -o main
./main | tee out
diff out - <<'OUT'
float 4: 2 2 2 2 2
float inf: nan nan nan nan inf
float 9.99995e-41: 0 0 0 0 9.99997e-21
double inf: inf inf inf inf inf
OUT
echo 'as found: infinity has no root'
