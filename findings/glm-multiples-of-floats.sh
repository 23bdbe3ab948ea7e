#!/usr/bin/env bash
# GLM: as floats, the multiple of 3 that is -6 at most is -9, and the one that is 3 at least is 6.
#
# floorMultiple and ceilMultiple are for integers and floating-point numbers. For integers -6 and 3 are multiples of 3; as floats they become the next ones, -9
# and 6: what lies on one side of zero is moved by a whole multiple without a look at whether it already is one. On the other side of zero it is right.
# Seen in libglm-dev 0.9.9.8+ds-6 of Debian.
source "$(dirname "$0")/debian.bash"
unpack libglm-dev=0.9.9.8+ds-6
cat >main.cpp <<'C'
#include <cstdio>
#include <initializer_list>
#include <glm/glm.hpp>
#include <glm/gtc/round.hpp>
int main() {
  for (int x : {-6, -5, 3, 4, 6})
    std::printf("%d: floor %d, as float %g; ceil %d, as float %g\n", x, glm::floorMultiple(x, 3), glm::floorMultiple((float)x, 3.0f), glm::ceilMultiple(x, 3), glm::ceilMultiple((float)x, 3.0f));
}
C
g++ -std=c++17 -w -O1 -I root/usr/include main.cpp -o main
./main | tee out
diff out - <<'OUT'
-6: floor -6, as float -9; ceil -6, as float -6
-5: floor -6, as float -6; ceil -3, as float -3
3: floor 3, as float 3; ceil 3, as float 6
4: floor 3, as float 3; ceil 6, as float 6
6: floor 6, as float 6; ceil 6, as float 9
OUT
echo 'as found: 3 is no multiple of 3'
