#!/usr/bin/env bash
# R: 0.15 is rounded to 0.1 by round, and to 0.2 by signif.
#
# As a double 0.15 is below 0.15, and nearer to 0.1; C says so, too. With one significant digit signif rounds 0.15 as if it was exactly in the middle, and up.
# Both keep one decimal here.
# Seen in r-base-core 4.2.2.20221110-2 of Debian.
source "$(dirname "$0")/r.bash"
each <<'CASES' | tee out
round(0.15, 1)
signif(0.15, 1)
sprintf("%.1f", 0.15)
sprintf("%.20f", 0.15)
round(0.285, 2)
signif(0.285, 2)
sprintf("%.2f", 0.285)
round(2.675, 2)
signif(2.675, 3)
CASES
diff out - <<'OUT'
round(0.15, 1): 0.1
signif(0.15, 1): 0.2
sprintf("%.1f", 0.15): 0.1
sprintf("%.20f", 0.15): 0.14999999999999999445
round(0.285, 2): 0.28
signif(0.285, 2): 0.28
sprintf("%.2f", 0.285): 0.28
round(2.675, 2): 2.67
signif(2.675, 3): 2.68
OUT
echo 'as found: 0.15 is 0.1 and 0.2'
