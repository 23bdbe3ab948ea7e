#!/usr/bin/env bash
# GLM: as a float of 11 bits 0.00001 is 42496, and a million 0.0002.
#
# Pixels with two floats of 11 bits and one of 10, without a sign, are packed from bits of a float32 without a look at the range. What is smaller than the
# format can hold, 1e-5 as well as 1e-8, comes out as a large number, and what is too large as a small one, or as -1. From 0.00007 to 65024 it is right.
# Seen in libglm-dev 0.9.9.8+ds-6 of Debian.
source "$(dirname "$0")/debian.bash"
unpack libglm-dev=0.9.9.8+ds-6
cat >main.cpp <<'C'
#include <cstdio>
#include <initializer_list>
#include <glm/glm.hpp>
#include <glm/gtc/packing.hpp>
int main() {
  for (float x : {0.0f, 1e-8f, 1e-5f, 1e-4f, 0.5f, 60000.0f, 65536.0f, 1e6f}) {
    glm::vec3 v = glm::unpackF2x11_1x10(glm::packF2x11_1x10(glm::vec3(x)));
    std::printf("%g: %g, %g, %g\n", x, v.x, v.y, v.z);
  }
}
C
g++ -std=c++17 -w -O1 -I root/usr/include main.cpp -o main
./main | tee out
diff out - <<'OUT'
0: 0, 0, 0
1e-08: 42.5, 42.5, 42
1e-05: 42496, 42496, 41984
0.0001: 9.91821e-05, 9.91821e-05, 9.91821e-05
0.5: 0.5, 0.5, 0.5
60000: 59904, 59904, 59392
65536: 65536, 65536, -1
1e+06: 0.000232697, 0.000232697, 0.000232697
OUT
echo 'as found: the dark is bright'
