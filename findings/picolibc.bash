# What the scripts about picolibc share: Debian's compiler for ARM, picolibc for it, and an emulator, in a temporary folder.
#
# run compiles the program on its standard input and executes it. picolibc is for machines without an operating system; the few lines in front of main give it the
# emulated Linux's output.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download gcc-arm-none-eabi=15:12.2.rel1-1 binutils-arm-none-eabi=2.40-2+18+b1 picolibc-arm-none-eabi=1.8-1 \
	qemu-user-static=1:7.2+dfsg-7+deb12u18+b3 libgmp10=2:6.2.1+dfsg1-1.1 libmpfr6=4.2.0-1 libmpc3=1.3.1-1 libisl23=0.25-1.1
for p in ./*.deb; do dpkg -x "$p" root; done
export LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
cat >start.c <<'C'
#include <stdio.h>
extern void _set_tls(void *);
static char tls[256];
static int put(char c, FILE *f) {
  register long r7 __asm__("r7") = 4, r0 __asm__("r0") = 1, r1 __asm__("r1") = (long)&c, r2 __asm__("r2") = 1;
  __asm__ volatile("svc 0" : "+r"(r0) : "r"(r7), "r"(r1), "r"(r2) : "memory");
  return 0;
}
static FILE out = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);
FILE *const stdout = &out;
int main(void);
void _start(void) {
  _set_tls(tls);
  register long r0 __asm__("r0") = main(), r7 __asm__("r7") = 1;
  __asm__ volatile("svc 0" : : "r"(r0), "r"(r7));
}
C

run() {
	local home=root/usr/lib/picolibc/arm-none-eabi
	PATH="$dir/root/usr/bin:$PATH" arm-none-eabi-gcc -O1 -fno-builtin -w -marm -march=armv5te -mfloat-abi=soft -isystem $home/include -nostdlib -nostartfiles start.c \
		-x c - -x none -o program.elf -L$home/lib -Wl,--defsym=__arm32_tls_tcb_offset=8 -Wl,--start-group -lc -lm -lgcc -Wl,--end-group
	root/usr/bin/qemu-arm-static ./program.elf
}
