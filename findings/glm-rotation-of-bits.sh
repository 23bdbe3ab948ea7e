#!/usr/bin/env bash
# GLM: bits that are rotated left go right.
#
# bitfieldRotateLeft shifts to the right and puts what falls out on the left, and bitfieldRotateRight the other way round; the headers describe what the names
# say. 1 rotated left by 4 is 0x10000000, and not 16.
# Seen in libglm-dev 0.9.9.8+ds-6 of Debian.
source "$(dirname "$0")/debian.bash"
unpack libglm-dev=0.9.9.8+ds-6
cat >main.cpp <<'C'
#include <cstdio>
#include <initializer_list>
#include <glm/glm.hpp>
#include <glm/gtc/bitfield.hpp>
int main() {
  for (int n : {1, 4}) std::printf("by %d: left %#x right %#x\n", n, glm::bitfieldRotateLeft(1u, n), glm::bitfieldRotateRight(1u, n));
}
C
g++ -std=c++17 -w -O1 -I root/usr/include main.cpp -o main
./main | tee out
diff out - <<'OUT'
by 1: left 0x80000000 right 0x2
by 4: left 0x10000000 right 0x10
OUT
echo 'as found: left is right'
