# What the scripts about newlib share: Debian's compiler and C library for ARM without an operating system, and an emulator, in a temporary folder.
#
# run compiles the program on its standard input and executes it.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download gcc-arm-none-eabi=15:12.2.rel1-1 binutils-arm-none-eabi=2.40-2+18+b1 libnewlib-arm-none-eabi=3.3.0-1.3+deb12u1 libnewlib-dev=3.3.0-1.3+deb12u1 \
	qemu-user-static=1:7.2+dfsg-7+deb12u18+b3 libgmp10=2:6.2.1+dfsg1-1.1 libmpfr6=4.2.0-1 libmpc3=1.3.1-1 libisl23=0.25-1.1
for p in ./*.deb; do dpkg -x "$p" root; done
ln -sfn newlib root/usr/lib/arm-none-eabi/lib
ln -sfn ../../include/newlib root/usr/lib/arm-none-eabi/include
export LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)

run() {
	PATH="$dir/root/usr/bin:$PATH" arm-none-eabi-gcc -O1 -w -march=armv7-a -marm -mfloat-abi=soft --specs=rdimon.specs -x c - -o program.elf -lm
	root/usr/bin/qemu-arm-static ./program.elf
}
