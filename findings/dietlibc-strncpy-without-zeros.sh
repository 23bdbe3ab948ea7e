#!/usr/bin/env bash
# dietlibc: strncpy doesn't fill up with zeros.
#
# strncpy(b, "ab", 6) writes six characters by the standard of C, four of them zeros. Here it is three, the last of them the end of the string, and what was
# there before stays behind it: in a header of fixed size, such as that of a file, old memory is written out, and two equal records differ by memcmp.
# Seen in dietlibc-dev 0.34~cvs20160606-14 of Debian (amd64).
set -euo pipefail
source "$(dirname "$0")/dietlibc.bash"
run <<'C' | tee out
#include <stdio.h>
#include <string.h>
int main(void) {
  char b[] = "xxxxxxxx";
  strncpy(b, "ab", 6);
  for (int i = 0; i < 8; i++) printf("%d ", b[i]);
  printf("\n");
  return 0;
}
C
[[ $(cat out) == '97 98 0 120 120 120 120 120 ' ]] || { echo 'that has changed'; exit 1; }
echo 'as found: the field ends with what was there before'
