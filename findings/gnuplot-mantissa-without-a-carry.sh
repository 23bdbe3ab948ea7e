#!/usr/bin/env bash
# gnuplot: 9.999 with two decimals is 1.00 times 10 to the 1 by %t and %T, and 10.00 times 10 to the 0 by %l and %L.
#
# Both are mantissa and exponent, one to the base of 10 and one to that of the axis, which is 10 too. Where the mantissa is rounded up to 10, the first pair
# counts on, and the second doesn't. As labels of a logarithmic axis both stand for the same number.
# Seen in gnuplot-nox 5.4.4+dfsg1-2+b2 of Debian.
source "$(dirname "$0")/debian.bash"
unpack gnuplot-nox=5.4.4+dfsg1-2+b2 liblua5.4-0=5.4.4-3+deb12u1
export LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
for x in 9.94 9.999 99.999; do
	root/usr/bin/gnuplot-nox -d -e "print '$x: ', gprintf('%.2t * 10^%T', $x), '; ', gprintf('%.2l * 10^%L', $x)" 2>&1
done | tee out
diff out - <<'OUT'
9.94:  9.94 * 10^0 ;  9.94 * 10^0
9.999:  1.00 * 10^1 ;  10.00 * 10^0
99.999:  1.00 * 10^2 ;  100.00 * 10^0
OUT
echo 'as found: one has a carry and one has none'
