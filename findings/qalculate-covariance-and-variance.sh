#!/usr/bin/env bash
# Qalculate: the covariance of 1, 2 and 3 with themselves is 2/3, and their variance is 1.
#
# The covariance of numbers with themselves is their variance. cov divides by the count, and var by one less; varp divides by the count. The correlation as cov
# over the product of two stdev is 2/3 of what pearson gives.
# Seen in qalc 4.5.1-1 of Debian.
source "$(dirname "$0")/debian.bash"
unpack qalc=4.5.1-1 libqalculate22=4.5.1-1 libqalculate-data=4.5.1-1
export LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:) HOME=$dir
for x in 'cov([1 2 3],[1 2 3])' 'var([1 2 3])' 'varp([1 2 3])' 'pearson([1 2 3],[1 2 3])'; do echo "$x $(root/usr/bin/qalc -t -- "$x")"; done | tee out
diff out - <<'OUT'
cov([1 2 3],[1 2 3]) 0.6666666667
var([1 2 3]) 1
varp([1 2 3]) 0.6666666667
pearson([1 2 3],[1 2 3]) 1
OUT
echo 'as found: the covariance with itself is no variance'
