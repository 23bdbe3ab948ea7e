#!/usr/bin/env bash
# newLISP: the first of March 2100 is -187338496 seconds after 1970, and the 28th of February 1900 2090903296.
#
# date-value and parse-date give the seconds in 32 bits, so that 2100 comes before 1970 and 1900 behind it. date-list, the inverse, takes 64 bits: of
# 4107542400 it makes 2100, and of what date-value says of that 1964.
# Seen in newlisp 10.7.5-2+b2 of Debian.
source "$(dirname "$0")/debian.bash"
unpack newlisp=10.7.5-2+b2
while read -r e; do echo "$e: $(root/usr/bin/newlisp -e "$e")"; done <<'CASES' | tee out
(date-value 2000 1 1)
(date-value 2100 3 1)
(date-value 1900 2 28)
(parse-date "2100.03.01" "%Y.%m.%d")
(date-list 4107542400)
(date-list (date-value 2100 3 1))
CASES
diff out - <<'OUT'
(date-value 2000 1 1): 946684800
(date-value 2100 3 1): -187338496
(date-value 1900 2 28): 2090903296
(parse-date "2100.03.01" "%Y.%m.%d"): -187338496
(date-list 4107542400): (2100 3 1 0 0 0 60 1)
(date-list (date-value 2100 3 1)): (1964 1 24 17 31 44 24 5)
OUT
echo 'as found: 2100 comes before 1970'
