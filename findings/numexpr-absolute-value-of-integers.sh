#!/usr/bin/env bash
# NumExpr: the absolute value of 2^53 + 1 is 2^53.
#
# abs of integers gives doubles: 2^53 + 1 becomes 2^53, and -1 becomes 1.0. In NumPy, for which the library evaluates expressions, integers stay what they are.
# where(l < 0, -l, l) does as well.
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
l = numpy.array([2**53 + 1, -2**53 - 1, -1])
for e in ('abs(l)', 'where(l < 0, -l, l)', 'abs(l) == where(l < 0, -l, l)'):
    r = numexpr.evaluate(e)
    print(e, r.dtype, r.tolist())
print('NumPy', abs(l).tolist())
P
PYTHONPATH=root/usr/lib/python3/dist-packages /usr/bin/python3 -W ignore main.py | tee out
diff out - <<'OUT'
abs(l) float64 [9007199254740992.0, 9007199254740992.0, 1.0]
where(l < 0, -l, l) int64 [9007199254740993, 9007199254740993, 1]
abs(l) == where(l < 0, -l, l) bool [True, True, True]
NumPy [9007199254740993, 9007199254740993, 1]
OUT
echo 'as found: the absolute value is 1 less'
