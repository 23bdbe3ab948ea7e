#!/usr/bin/env bash
# num-utils: numaverage -M, the median, of 1, 2, 3 and 4 is 3.
#
# It is 2.5. The option that is called median gives one of the numbers, the upper of the two in the middle.
# Seen in num-utils 0.5-15 of Debian.
source "$(dirname "$0")/debian.bash"
unpack num-utils=0.5-15
for list in '1 2 3' '1 2 3 4'; do
	echo "$list: mean $(tr ' ' '\n' <<<"$list" | perl root/usr/bin/numaverage), median $(tr ' ' '\n' <<<"$list" | perl root/usr/bin/numaverage -M)"
done | tee out
diff out - <<'OUT'
1 2 3: mean 2, median 2
1 2 3 4: mean 2.5, median 3
OUT
echo 'as found: the median of four numbers is the third'
