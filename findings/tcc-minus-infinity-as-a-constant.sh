#!/usr/bin/env bash
# Tiny C Compiler: INFINITY can initialize an array, and -INFINITY can not.
#
# The compiler computes constants only as long as operands and results are finite: INFINITY, 1e39f and NAN by themselves are constants, but a minus sign in front
# of them makes "initializer element is not constant", as INFINITY * 2 does. In a function -INFINITY works, since it is computed there. A mask of attention as a
# table has to get its minus infinities at run time.
# Seen in tcc 0.9.27+git20200814.62c30a4a-1 of Debian.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download tcc=0.9.27+git20200814.62c30a4a-1
dpkg -x ./*.deb root
tcc() { root/usr/bin/tcc -B"$(dirname "$(find root -name libtcc1.a | head -n 1)")" -c "$1" -o out.o; }
try() {
	printf '#include <math.h>\nstatic const float mask[] = {0.0f, %s};\nfloat first(void) { return mask[0]; }\n' "$1" >in.c
	tcc in.c 2>&1 || true
}
for x in INFINITY 1e39f NAN -1e38f; do
	if [[ -n $(try "$x") ]]; then
		echo "$x is refused: that has changed"
		exit 1
	fi
done
for x in -INFINITY -1e39f 'INFINITY * 2'; do
	try "$x" | grep 'initializer element is not constant' || { echo "$x is taken: that has changed"; exit 1; }
done
printf '#include <math.h>\nfloat least(void) { return -INFINITY; }\n' >in.c
tcc in.c
echo 'as found: INFINITY is a constant, and -INFINITY is none'
