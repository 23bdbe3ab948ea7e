#!/usr/bin/env bash
# GLM: the highest bit of a negative number is its sign, and what is taken out of one has none.
#
# As the headers say after GLSL, findMSB of a negative number is the place of the highest bit that is 0, and -1 for -1. It is 31 for all of them here. Of the
# same kind: bitfieldExtract of a signed number should have the sign of the highest bit that it takes, and takes the bits without one, so that the 4 bits 1111
# are 15.
# Seen in libglm-dev 0.9.9.8+ds-6 of Debian.
source "$(dirname "$0")/debian.bash"
unpack libglm-dev=0.9.9.8+ds-6
cat >main.cpp <<'C'
#include <cstdio>
#include <initializer_list>
#include <glm/glm.hpp>
int main() {
  for (int x : {8, -1, -2, -8}) std::printf("%d: highest bit %d\n", x, glm::findMSB(x));
  std::printf("bits of -16: %d, of 240: %d\n", glm::bitfieldExtract(-16, 4, 4), glm::bitfieldExtract(240, 4, 4));
}
C
g++ -std=c++17 -w -O1 -I root/usr/include main.cpp -o main
./main | tee out
diff out - <<'OUT'
8: highest bit 3
-1: highest bit 31
-2: highest bit 31
-8: highest bit 31
bits of -16: 15, of 240: 15
OUT
echo 'as found: the highest bit is the sign'
