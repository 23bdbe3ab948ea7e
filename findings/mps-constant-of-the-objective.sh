#!/usr/bin/env bash
# One file in the MPS format, and four solvers of Debian: the optimum is -8, -4, -1 and 2.
#
# The file has an integer x <= 5, and minimizes -x, with -3 on the right-hand side of the objective. That is added by GLPK and lp_solve, subtracted by Cbc, and
# ignored by QSopt_ex; an integer without bounds is 0 or 1 for GLPK, Cbc and QSopt_ex, and has no limit for lp_solve. All say that their result is optimal.
# Seen in glpk-utils 5.0-1, lp-solve 5.5.2.5-2, coinor-cbc 2.10.8+ds1-1 and qsopt-ex 2.5.10.3-2 of Debian.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download glpk-utils=5.0-1 libglpk40=5.0-1 lp-solve=5.5.2.5-2 coinor-cbc=2.10.8+ds1-1 coinor-libcbc3=2.10.8+ds1-1 coinor-libcgl1=0.60.3+repack1-4 \
	coinor-libclp1=1.17.6-3 coinor-libcoinutils3v5=2.11.4+repack1-2 coinor-libosi1v5=0.108.6+repack1-2 qsopt-ex=2.5.10.3-2 libqsopt-ex2=2.5.10.3-2 \
	libamd2=1:5.12.0+dfsg-2 libcolamd2=1:5.12.0+dfsg-2 libsuitesparseconfig5=1:5.12.0+dfsg-2 libltdl7=2.4.7-7~deb12u1 liblapack3=3.11.0-2 libblas3=3.11.0-2 \
	libgfortran5=12.2.0-14+deb12u1 libquadmath0=12.2.0-14+deb12u1 libgmp10=2:6.2.1+dfsg1-1.1
for p in ./*.deb; do dpkg -x "$p" root; done
export LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
export PATH="$dir/root/usr/bin:$PATH"
cat >t.mps <<'MPS'
NAME          T
ROWS
 N  COST
 L  LIMIT
COLUMNS
    MARKER                 'MARKER'                 'INTORG'
    X         COST              -1.0   LIMIT              1.0
    MARKER                 'MARKER'                 'INTEND'
RHS
    RHS       LIMIT              5.0   COST              -3.0
ENDATA
MPS
{
	glpsol --freemps t.mps -o glpk.txt >/dev/null
	echo "GLPK $(awk '/^Objective:/ { print $4 }' glpk.txt)"
	echo "lp_solve $(lp_solve -fmps t.mps -S3 | awk '/^Value of objective function/ { print $5 + 0 }')"
	echo "Cbc $(cbc t.mps solve | awk '/^Objective value/ { print $3 + 0 }')"
	echo "QSopt_ex $(esolver -O t.sol t.mps 2>&1 | awk '/^LP Value/ { print $3 + 0 }')"
} | tee out
diff out - <<'OUT'
GLPK -4
lp_solve -8
Cbc 2
QSopt_ex -1
OUT
echo 'as found: one file, four optima'
