#!/usr/bin/env bash
# Eigen: the exponential of minus infinity is not 0.
#
# The argument is limited before the exponential is taken, to -709.8 or so for doubles and -88.7 for floats, below which all results are the same small number.
# With minus infinity for what is masked, as in attention, the masked share isn't 0. std::exp is 0.
# Seen in libeigen3-dev 3.4.0-4 of Debian.
source "$(dirname "$0")/debian.bash"
unpack libeigen3-dev=3.4.0-4
cat >main.cpp <<'C'
#include <cmath>
#include <cstdio>
#include <Eigen/Core>
template <class T> void tell(const char *type, T x) {
  Eigen::Array<T, 4, 1> list = Eigen::Array<T, 4, 1>::Constant(x);
  Eigen::Array<T, 4, 1> powers = list.exp();
  std::printf("exp(%g) as a %s: %.3g, by C %.3g\n", x, type, powers[0], std::exp(x));
}
int main() {
  volatile double infinity = INFINITY;
  for (double x : {-80.0, -100.0, -infinity}) tell<float>("float", x);
  for (double x : {-700.0, -1000.0, -infinity}) tell<double>("double", x);
}
C
g++ -std=c++17 -w -O1 -I root/usr/include/eigen3 main.cpp -o main
./main | tee out
diff out - <<'OUT'
exp(-80) as a float: 1.8e-35, by C 1.8e-35
exp(-100) as a float: 2.94e-39, by C 3.78e-44
exp(-inf) as a float: 2.94e-39, by C 0
exp(-700) as a double: 9.86e-305, by C 9.86e-305
exp(-1000) as a double: 5.56e-309, by C 0
exp(-inf) as a double: 5.56e-309, by C 0
OUT
echo 'as found: what is masked has a share'
