#!/usr/bin/env bash
# newlib as Debian has it: printf writes the letter for %a, and takes no argument for it, so that what comes next is another number.
#
# printf("%a %g", 1.5, 2.0) writes "a 1.5". There is neither a warning nor an error: the compiler knows %a, and the library was built without it. sscanf reads 0 of 0x1.8p1.
# Constants that are exchanged in this notation, which is there to lose no bit, lose all of them.
# Seen in libnewlib-arm-none-eabi 3.3.0-1.3+deb12u1 of Debian, with its gcc-arm-none-eabi, in qemu-arm.
set -euo pipefail
source "$(dirname "$0")/newlib.bash"
run <<'C' | tee seen.txt
#include <stdio.h>
int main(void) {
  float x = -1;
  sscanf("0x1.8p1", "%f", &x);
  printf("%a %g | ", 1.5, 2.0);
  printf("%g\n", x);
  return 0;
}
C
[[ $(cat seen.txt) == 'a 1.5 | 0' ]] || { echo 'that has changed'; exit 1; }
echo 'as found: %a takes no argument'
