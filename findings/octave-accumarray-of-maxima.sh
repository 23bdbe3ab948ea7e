#!/usr/bin/env bash
# GNU Octave: accumarray with max makes places without a number 0 where the numbers are positive, and NaN where they are negative.
#
# The manual has 0 for what no index names, unless another value is given. With @max of negative doubles, and with @min of positive ones, these places are NaN,
# also where 0 is given as that value. By a function that is max under another name, and for integers, they are 0.
# Seen in octave 7.3.0-2 of Debian.
source "$(dirname "$0")/octave.bash"
each <<'CASES' | tee out
accumarray([2;2],[-5;-7],[3 1])'
accumarray([2;2],[5;7],[3 1],@max)'
accumarray([2;2],[-5;-7],[3 1],@max)'
accumarray([2;2],[-5;-7],[3 1],@max,0)'
accumarray([2;2],[-5;-7],[3 1],@(x) max(x))'
accumarray([2;2],int8([-5;-7]),[3 1],@max)'
accumarray([2;2],[5;7],[3 1],@min)'
CASES
diff out - <<'OUT'
accumarray([2;2],[-5;-7],[3 1])': 0 -12 0
accumarray([2;2],[5;7],[3 1],@max)': 0 7 0
accumarray([2;2],[-5;-7],[3 1],@max)': NaN -5 NaN
accumarray([2;2],[-5;-7],[3 1],@max,0)': NaN -5 NaN
accumarray([2;2],[-5;-7],[3 1],@(x) max(x))': 0 -5 0
accumarray([2;2],int8([-5;-7]),[3 1],@max)': 0 -5 0
accumarray([2;2],[5;7],[3 1],@min)': NaN 5 NaN
OUT
echo 'as found: the empty places are NaN'
