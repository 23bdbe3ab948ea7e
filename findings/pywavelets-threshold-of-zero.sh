#!/usr/bin/env bash
# PyWavelets: the soft threshold 0 makes NaN of 0, and leaves all else as it is.
#
# A soft threshold takes a number nearer to zero by so much, and by 0 it changes nothing; that is the value that a noise estimated from a signal without noise
# gives. It is computed as 1 - value / |x| times x, which is 0 / 0. Zeros are what wavelet coefficients mostly are, and the inverse transform spreads the NaN.
# With any other threshold 0 stays 0, and hard thresholds do no harm.
# Seen in python3-pywt 1.1.1-3+b2 of Debian, with python3-numpy 1:1.24.2-1+deb12u1.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download python3-pywt=1.1.1-3+b2 python3-numpy=1:1.24.2-1+deb12u1 liblapack3=3.11.0-2 libblas3=3.11.0-2 libgfortran5=12.2.0-14+deb12u1 libquadmath0=12.2.0-14+deb12u1
for p in ./*.deb; do dpkg -x "$p" root; done
export LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -path '*linux-gnu*' -not -path '*dist-packages*' -printf '%h\n' | sort -u | paste -sd:)
cat >main.py <<'P'
import numpy, pywt
x = numpy.array([0.0, 0.5, -2.0])
for mode in ('soft', 'hard', 'garrote'):
    print(mode, pywt.threshold(x, 1, mode), pywt.threshold(x, 0, mode))
P
PYTHONPATH=root/usr/lib/python3/dist-packages /usr/bin/python3 -W ignore main.py | tee out
diff out - <<'OUT'
soft [ 0.  0. -1.] [ nan  0.5 -2. ]
hard [ 0.  0. -2.] [ 0.   0.5 -2. ]
garrote [ 0.   0.  -1.5] [ nan  0.5 -2. ]
OUT
echo 'as found: 0 less 0 is NaN'
