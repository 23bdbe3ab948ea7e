# What the scripts about picolibc share: Debian's compiler for ARM and picolibc for it, and an emulated board, in a temporary folder.
#
# run compiles the program on its standard input for a Cortex-M3 and executes it; what it prints by way of the debugger is printed.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download gcc-arm-none-eabi=15:12.2.rel1-1 binutils-arm-none-eabi=2.40-2+18+b1 picolibc-arm-none-eabi=1.8-1 \
	libgmp10=2:6.2.1+dfsg1-1.1 libmpfr6=4.2.0-1 libmpc3=1.3.1-1 libisl23=0.25-1.1
for p in ./*.deb; do dpkg -x "$p" root; done
# The emulator of a whole board has many libraries, which apt installs.
command -v qemu-system-arm >/dev/null || apt-get -qq install --no-install-recommends qemu-system-arm=1:7.2+dfsg-7+deb12u18+b3 >/dev/null
export LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)

run() {
	local home=root/usr/lib/picolibc/arm-none-eabi
	local lib=$home/lib/thumb/v7-m/nofp
	PATH="$dir/root/usr/bin:$PATH" arm-none-eabi-gcc -O1 -fno-builtin -w -mcpu=cortex-m3 -mthumb -isystem "$home/include" -nostdlib -nostartfiles \
		"$lib/crt0-semihost.o" -x c - -x none -o program.elf -L"$lib" -T"$home/lib/picolibc.ld" -Wl,--defsym=__flash=0 -Wl,--defsym=__flash_size=0x400000 \
		-Wl,--defsym=__ram=0x20000000 -Wl,--defsym=__ram_size=0x200000 -Wl,--start-group -lc -lm -lsemihost -lgcc -Wl,--end-group
	LD_LIBRARY_PATH= timeout 100 qemu-system-arm -M mps2-an385 -semihosting -nographic -monitor none -serial none -kernel program.elf 2>&1
}
