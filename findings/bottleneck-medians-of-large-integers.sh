#!/usr/bin/env bash
# Bottleneck: the median of 2^30 and 2^30 as int32 is negative.
#
# With an even number of integers the two in the middle are added before they are halved, in the type that they have: 2^30 and 2^30 as int32, or twice 2^62 as
# int64, come out negative. NumPy, whose functions the library replaces, adds them as doubles, as the mean of this library does.
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
for x in (numpy.array([2**30 - 1, 2**30], 'i4'), numpy.array([2**30, 2**30], 'i4'), numpy.array([2**31 - 1, 2**31 - 1], 'i4'), numpy.array([2**62, 2**62])):
    print(x.dtype, x.tolist(), 'median', bottleneck.median(x), 'mean', bottleneck.nanmean(x), 'NumPy', numpy.median(x))
P
PYTHONPATH=root/usr/lib/python3/dist-packages /usr/bin/python3 -W ignore main.py | tee out
diff out - <<'OUT'
int32 [1073741823, 1073741824] median 1073741823.5 mean 1073741823.5 NumPy 1073741823.5
int32 [1073741824, 1073741824] median -1073741824.0 mean 1073741824.0 NumPy 1073741824.0
int32 [2147483647, 2147483647] median -1.0 mean 2147483647.0 NumPy 2147483647.0
int64 [4611686018427387904, 4611686018427387904] median -4.611686018427388e+18 mean 4.611686018427388e+18 NumPy 4.611686018427388e+18
OUT
echo 'as found: the median of two equal numbers has another sign'
