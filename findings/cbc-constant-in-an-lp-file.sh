#!/usr/bin/env bash
# Cbc: the constant of an objective is lost from an LP file, and not from an MPS file.
#
# "Minimize x + 10", where x is 1 at least, is 11, and the result is 1, without a word about the constant. The same problem as MPS, with -10 on the right-hand
# side of the objective, is 11. Two solutions of problems that differ by a constant, as those of a scheduler that fixes a part in advance, can't be compared.
# Seen in coinor-cbc 2.10.8+ds1-1 of Debian.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download coinor-cbc=2.10.8+ds1-1 coinor-libcbc3=2.10.8+ds1-1 coinor-libcgl1=0.60.3+repack1-4 \
	coinor-libclp1=1.17.6-3 coinor-libcoinutils3v5=2.11.4+repack1-2 coinor-libosi1v5=0.108.6+repack1-2 liblapack3=3.11.0-2 libblas3=3.11.0-2 \
	libgfortran5=12.2.0-14+deb12u1 libquadmath0=12.2.0-14+deb12u1
for p in ./*.deb; do dpkg -x "$p" root; done
export LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
printf 'Minimize\n obj: x + 10\nSubject To\n c: x + y >= 1\n d: y <= 0\nEnd\n' >t.lp
cat >t.mps <<'MPS'
NAME          T
ROWS
 N  OBJ
 G  C
 L  D
COLUMNS
    X         OBJ                1.0   C                  1.0
    Y         C                  1.0   D                  1.0
RHS
    RHS       C                  1.0   OBJ              -10.0
ENDATA
MPS
for f in t.lp t.mps; do
	root/usr/bin/cbc $f solve >log || { cat log; exit 1; }
	echo "$f $(awk '/^Optimal objective/ { print $3 }' log)"
done | tee out
diff out - <<'OUT'
t.lp 1
t.mps 11
OUT
echo 'as found: x + 10 is x'
