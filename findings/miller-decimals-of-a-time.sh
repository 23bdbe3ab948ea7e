#!/usr/bin/env bash
# Miller: the time 1500000000.6 with one decimal is 02:40:00.5.
#
# Times are cut off to the decimals asked for, and the double nearest to 1500000000.6 lies a little below it. So a time that has one decimal loses a tenth, and
# one with three a thousandth. fmtnum of the same numbers, which rounds, has them as they are.
# Seen in miller 6.6.0-2+b3 of Debian.
source "$(dirname "$0")/debian.bash"
unpack miller=6.6.0-2+b3
for x in 1500000000.5 1500000000.6 1500000000.1 1500000000.9; do root/usr/bin/mlr -n put "end { print sec2gmt($x, 1) . \" \" . strftime($x, \"%3S\") . \" \" . fmtnum($x, \"%.1f\") }"; done | tee out
diff out - <<'OUT'
2017-07-14T02:40:00.5Z 00.500 1500000000.5
2017-07-14T02:40:00.5Z 00.599 1500000000.6
2017-07-14T02:40:00.0Z 00.099 1500000000.1
2017-07-14T02:40:00.9Z 00.900 1500000000.9
OUT
echo 'as found: 0.6 is 0.5'
