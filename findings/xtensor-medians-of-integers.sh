#!/usr/bin/env bash
# xtensor: the median of the integers 1 and 2 is 1, and so is their average with weights, while their mean is 1.5.
#
# mean of integers is a double, as in NumPy, after which the library is made; median and average compute in the type of the elements and cut off. Of the weights
# 3 and 1 the average of 1 and 2 is 1.25. With -1 and -2 both come out as -1, so that the error is always towards zero.
# Seen in libxtensor-dev 0.24.3-1 of Debian, with its xtl-dev.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download libxtensor-dev=0.24.3-1 xtl-dev=0.7.2-2.1
for p in ./*.deb; do dpkg -x "$p" root; done
cat >main.cpp <<'C'
#include <iostream>
#include <xtensor/xarray.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xsort.hpp>
template <class T> void tell(T x, T y) {
  xt::xarray<T> list = {x, y}, weights = {3, 1};
  std::cout << "mean " << xt::mean(list)() << " median " << xt::median(list) << " average " << xt::average(list, weights)() << "\n";
}
int main() {
  tell<double>(1, 2);
  tell<int>(1, 2);
  tell<int>(-1, -2);
}
C
g++ -std=c++17 -w -I root/usr/include main.cpp -o main
./main | tee out
diff out - <<'OUT'
mean 1.5 median 1.5 average 1.25
mean 1.5 median 1 average 1
mean -1.5 median -1 average -1
OUT
echo 'as found: the median of 1 and 2 is 1'
