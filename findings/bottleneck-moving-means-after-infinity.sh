#!/usr/bin/env bash
# Bottleneck: after one infinity all moving means are NaN.
#
# The sum over a window goes on by adding the number that comes in and taking off the one that goes out; infinity less infinity is NaN, and that stays to the
# end of the list. With 1, 2, 3, 4 behind an infinity no mean over two numbers is right. The largest and the median over the same window have nothing of the
# kind.
# Seen in python3-bottleneck 1.3.5+ds1-2+b1, with python3-numpy 1:1.24.2-1+deb12u1, of Debian.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download python3-bottleneck=1.3.5+ds1-2+b1 python3-numpy=1:1.24.2-1+deb12u1 liblapack3=3.11.0-2 libblas3=3.11.0-2 \
	libgfortran5=12.2.0-14+deb12u1 libquadmath0=12.2.0-14+deb12u1
for p in ./*.deb; do dpkg -x "$p" root; done
export LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -path '*linux-gnu*' -not -path '*dist-packages*' -printf '%h\n' | sort -u | paste -sd:)
cat >main.py <<'P'
import bottleneck, numpy
x = numpy.array([numpy.inf, 1, 2, 3, 4])
for f in (bottleneck.move_sum, bottleneck.move_mean, bottleneck.move_std, bottleneck.move_max, bottleneck.move_median):
    print(f.__name__, f(x, 2))
P
PYTHONPATH=root/usr/lib/python3/dist-packages /usr/bin/python3 -W ignore main.py | tee out
diff out - <<'OUT'
move_sum [nan inf nan nan nan]
move_mean [nan inf nan nan nan]
move_std [nan nan nan nan nan]
move_max [nan inf  2.  3.  4.]
move_median [nan inf 1.5 2.5 3.5]
OUT
echo 'as found: one infinity spoils all that follows'
