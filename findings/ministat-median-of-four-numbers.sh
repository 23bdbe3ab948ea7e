#!/usr/bin/env bash
# ministat: the median of 1, 2, 3 and 4 is 3.
#
# It is 2.5, the mean of the two in the middle. ministat takes the upper one, so that the median of 1 and 100 is 100; of an odd number of them it is right.
# Seen in ministat 20150715-1+b1 of Debian.
source "$(dirname "$0")/debian.bash"
unpack ministat=20150715-1+b1
for list in '1 2 3' '1 2 3 4' '1 1 100 100'; do
	tr ' ' '\n' <<<"$list" >numbers
	echo "$list: $(root/usr/bin/ministat -n numbers | awk '/^x  / { print "median", $5, "mean", $6 }')"
done | tee out
diff out - <<'OUT'
1 2 3: median 2 mean 2
1 2 3 4: median 3 mean 2.5
1 1 100 100: median 100 mean 50.5
OUT
echo 'as found: the median is the upper one'
