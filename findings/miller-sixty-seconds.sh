#!/usr/bin/env bash
# Miller: fsec2hms of 59.9999999 is 00:00:60.000000, and that of 3599.9999999 is 00:59:60.000000.
#
# The seconds are rounded to six decimals after hours and minutes have been taken out, so that there are sixty of them. 1.9999999 is 00:00:02.000000. fsec2dhms
# has the same. hms2fsec reads the text back as a minute.
# Seen in miller 6.6.0-2+b3 of Debian.
source "$(dirname "$0")/debian.bash"
unpack miller=6.6.0-2+b3
for x in 1.9999999 59.9999999 3599.9999999 86399.9999999; do root/usr/bin/mlr -n put "end { print $x . \" \" . fsec2hms($x) . \" \" . fsec2dhms($x) . \" \" . hms2fsec(fsec2hms($x)) }"; done | tee out
diff out - <<'OUT'
1.9999999 00:00:02.000000 2.000000s 2
59.9999999 00:00:60.000000 60.000000s 60
3599.9999999 00:59:60.000000 59m60.000000s 3600
86399.9999999 23:59:60.000000 23h59m60.000000s 86400
OUT
echo 'as found: a minute has a sixtieth second'
