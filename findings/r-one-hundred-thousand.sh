#!/usr/bin/env bash
# R: the number 100000 has five digits by nchar, and is equal to the text "1e+05" and not to "100000".
#
# A number becomes a text in the shorter of two forms, and "1e+05" is shorter than "100000" by a character. So it is with 100000 and its multiples, while
# 99999 and 123456 are written with all digits; 100000L, an integer, is, too.
# Seen in r-base-core 4.2.2.20221110-2 of Debian.
source "$(dirname "$0")/r.bash"
each <<'CASES' | tee out
nchar(100000)
nchar(99999)
nchar(123456)
nchar(100000L)
100000 == "100000"
100000 == "1e+05"
123456 == "123456"
100000 %in% c("99999", "100000")
paste(c(99999, 100000, 100001))
paste(100000)
CASES
diff out - <<'OUT'
nchar(100000): 5
nchar(99999): 5
nchar(123456): 6
nchar(100000L): 6
100000 == "100000": FALSE
100000 == "1e+05": TRUE
123456 == "123456": TRUE
100000 %in% c("99999", "100000"): FALSE
paste(c(99999, 100000, 100001)): 99999  1e+05  100001
paste(100000): 1e+05
OUT
echo 'as found: 100000 is not "100000"'
