#!/usr/bin/env bash
# lp_solve: a variable with an upper limit of -2, and the lower limit 0 that all have, makes an "Accuracy error" instead of an infeasible problem.
#
# The same limit as a constraint with a second variable in it is found to be infeasible. As a bound the value is taken for -2, the check at the end finds it
# below its lower bound, and calls that a matter of accuracy. Alone with x >= -5 in front of it the bound is fine.
# Seen in lp-solve 5.5.2.5-2 of Debian.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download lp-solve=5.5.2.5-2 libcolamd2=1:5.12.0+dfsg-2 libsuitesparseconfig5=1:5.12.0+dfsg-2
for p in ./*.deb; do dpkg -x "$p" root; done
export LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
for bound in 'x <= -2;' 'd: x + 0 y <= -2;' 'x >= -5; x <= -2;'; do
	printf 'min: y;\nc: x + y >= 4;\n%s\n' "$bound" >t.lp
	echo "$bound $({ root/usr/bin/lp_solve -S3 t.lp || true; } | grep -E 'error|infeasible|objective' | paste -sd' ')"
done | tee out
diff out - <<'OUT'
x <= -2; Accuracy error
d: x + 0 y <= -2; This problem is infeasible
x >= -5; x <= -2; Value of objective function: 6.00000000
OUT
echo 'as found: no solution is called an error of accuracy'
