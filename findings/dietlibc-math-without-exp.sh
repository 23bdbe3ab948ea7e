#!/usr/bin/env bash
# dietlibc: the math library of amd64 has sinh, erf and lgamma, and neither exp, log, sin, sqrt nor fabs; sinh can't be linked either.
#
# math.h declares them all. libm.a has acosh, asinh, atanh, erf, the Bessel functions, lgamma, pow, rint, sinh and tanh. sinh and tanh call exp, and rint calls
# floor: a program that uses nothing but them ends with "undefined reference to `exp'" and "`floor'". pow can be used.
# Seen in dietlibc-dev 0.34~cvs20160606-14 of Debian (amd64).
set -euo pipefail
source "$(dirname "$0")/dietlibc.bash"
try() {
	printf '#include <math.h>\nvolatile double x = 1;\nint main(void) { return %s(x) > 2; }\n' "$1" | build 2>&1 || true
}
for f in exp log sin sqrt fabs; do
	try $f | grep -q "undefined reference to .$f'" || { echo "$f is there: that has changed"; exit 1; }
done
for f in sinh tanh; do
	try $f | grep -o "undefined reference to .*" | sort -u | paste -sd' ' | sed "s/^/$f: /"
	try $f | grep -q "undefined reference to .exp'" || { echo "$f can be used: that has changed"; exit 1; }
	try $f | grep -q "undefined reference to .$f'" && { echo "$f is missing: that has changed"; exit 1; }
done
try rint | grep -q "undefined reference to .floor'" || { echo 'rint can be used: that has changed'; exit 1; }
echo 'as found: sinh is there, and exp is not'
