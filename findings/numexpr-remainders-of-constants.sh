#!/usr/bin/env bash
# NumExpr: -7 % 2 is 1 for constants, and -1 for arrays.
#
# Of two constants in the expression the remainder has the sign of the divisor, as in Python and NumPy, since Python computes it; where one of them is an array
# it has the sign of the dividend, as in C. So the value changes if a number is given as a variable.
# Seen in python3-numexpr 2.8.4-1+b2, with python3-numpy 1:1.24.2-1+deb12u1, of Debian.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download python3-numexpr=2.8.4-1+b2 python3-packaging=23.0-1 python3-numpy=1:1.24.2-1+deb12u1 liblapack3=3.11.0-2 libblas3=3.11.0-2 \
	libgfortran5=12.2.0-14+deb12u1 libquadmath0=12.2.0-14+deb12u1
for p in ./*.deb; do dpkg -x "$p" root; done
export LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -path '*linux-gnu*' -not -path '*dist-packages*' -printf '%h\n' | sort -u | paste -sd:)
cat >main.py <<'P'
import numexpr, numpy
a, b = numpy.array([-7]), numpy.array([2])
for e in ('-7 % 2', 'a % 2', '-7 % b', 'a % b', '7 % -2', '-a % -b'):
    print(e, 'is', numexpr.evaluate(e), 'in Python', eval(e))
P
PYTHONPATH=root/usr/lib/python3/dist-packages /usr/bin/python3 -W ignore main.py | tee out
diff out - <<'OUT'
-7 % 2 is 1 in Python 1
a % 2 is [-1] in Python [1]
-7 % b is [-1] in Python [1]
a % b is [-1] in Python [1]
7 % -2 is -1 in Python -1
-a % -b is [1] in Python [-1]
OUT
echo 'as found: a constant has another remainder'
