#!/usr/bin/env bash
# GLM: with a common exponent 60000 is 32768.
#
# The format with a common exponent, RGB9E5, goes up to 65408. From 32768 on the exponent would have to be one more, and isn't: the digits that have no place
# are cut off at the top, and all such numbers become 32768. Of the colour 60000, 60000, 30000 the third is right.
# Seen in libglm-dev 0.9.9.8+ds-6 of Debian.
source "$(dirname "$0")/debian.bash"
unpack libglm-dev=0.9.9.8+ds-6
cat >main.cpp <<'C'
#include <cstdio>
#include <initializer_list>
#include <glm/glm.hpp>
#include <glm/gtc/packing.hpp>
int main() {
  for (float x : {20000.0f, 32000.0f, 40000.0f, 60000.0f, 65408.0f}) {
    glm::vec3 v = glm::unpackF3x9_E1x5(glm::packF3x9_E1x5(glm::vec3(x, x, x / 2)));
    std::printf("%g, %g, %g: %g, %g, %g\n", x, x, x / 2, v.x, v.y, v.z);
  }
}
C
g++ -std=c++17 -w -O1 -I root/usr/include main.cpp -o main
./main | tee out
diff out - <<'OUT'
20000, 20000, 10000: 20032, 20032, 9984
32000, 32000, 16000: 32000, 32000, 16000
40000, 40000, 20000: 32768, 32768, 19968
60000, 60000, 30000: 32768, 32768, 29952
65408, 65408, 32704: 32768, 32768, 32768
OUT
echo 'as found: 60000 is 32768'
