#!/usr/bin/env bash
# Z3: the largest real number x below 5 is 4, and the smallest above 0.25 is 1.25.
#
# There is none: the supremum 5 isn't reached, which Z3's own notation has as 5 - epsilon. This version answers with a number that lies 1 beside the limit,
# whatever the limit is, as the value of the objective. In the model for the largest one x is 0. With <= in place of < it is right.
# Seen in z3 4.8.12-3.1 of Debian.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download z3=4.8.12-3.1
dpkg -x ./*.deb root
for goal in '(assert (<= x 5)) (maximize x)' '(assert (< x 5)) (maximize x)' '(assert (< x 5.5)) (maximize x)' '(assert (> x 0.25)) (minimize x)'; do
	echo "(declare-const x Real) $goal (check-sat) (get-objectives) (get-value (x))" | root/usr/bin/z3 -in | tr -d '\n' | sed "s/^/$goal: /"
	echo
done | tee out
diff out - <<'OUT'
(assert (<= x 5)) (maximize x): sat(objectives (x 5))((x 5.0))
(assert (< x 5)) (maximize x): sat(objectives (x 4))((x 0.0))
(assert (< x 5.5)) (maximize x): sat(objectives (x (/ 9.0 2.0)))((x 0.0))
(assert (> x 0.25)) (minimize x): sat(objectives (x (/ 5.0 4.0)))((x (/ 5.0 4.0)))
OUT
echo 'as found: the largest number below 5 is 4'
