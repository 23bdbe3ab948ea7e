#!/usr/bin/env bash
# num-utils: numsum of 1e3 is 1, and of 1,000 too.
#
# A number ends where a letter or a comma begins, and what follows is left out without a word. numaverage and numbound have the same. awk
# prints 0.00001 as 1e-05, which is 1 then.
# Seen in num-utils 0.5-15 of Debian.
source "$(dirname "$0")/debian.bash"
unpack num-utils=0.5-15
for x in 12.5 1e3 2.5E-2 1,000; do
	echo "$x: sum $(echo "$x" | perl root/usr/bin/numsum), average $(echo "$x" | perl root/usr/bin/numaverage), largest $(echo "$x" | perl root/usr/bin/numbound)"
done | tee out
diff out - <<'OUT'
12.5: sum 12.5, average 12.5, largest 12.5
1e3: sum 1, average 1, largest 1
2.5E-2: sum 2.5, average 2.5, largest 2.5
1,000: sum 1, average 1, largest 1
OUT
echo 'as found: 1e3 is 1'
