#!/usr/bin/env bash
# klibc: sscanf with %[a-z] reads digits, and not the letter z.
#
# A range leaves out its last letter, and takes what is not in it: %[a-z] takes all of "abc123-xy" and stops at z, %[a-c1] takes digits and leaves c, and %[0-9]
# stops at 9. Letters one by one, %[abc], and what is excluded, %[^1], are right.
# Seen in libklibc-dev 2.0.12-1 of Debian (amd64).
set -euo pipefail
source "$(dirname "$0")/klibc.bash"
run <<'C' | tee out
#include <stdio.h>
int main(void) {
  static const char *formats[] = {"%[abc]", "%[a-z]", "%[a-c1]", "%[0-9]", "%[^1]"};
  for (int i = 0; i < 5; i++) {
    char s[64] = "", t[64] = "";
    int n = sscanf("abc123-xyz", formats[i], s), m = sscanf("1239abc", formats[i], t);
    printf("%s: %d [%s], %d [%s]\n", formats[i], n, s, m, t);
  }
  return 0;
}
C
diff out - <<'OUT'
%[abc]: 1 [abc], 0 []
%[a-z]: 1 [abc123-xy], 1 [1239abc]
%[a-c1]: 1 [ab], 1 [1239ab]
%[0-9]: 0 [], 1 [123]
%[^1]: 1 [abc], 0 []
OUT
echo 'as found: a set of letters has digits in it'
