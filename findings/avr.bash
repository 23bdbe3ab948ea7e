# What the scripts about AVR share: Debian's compiler, its C library and a simulator, in a temporary folder.
#
# run compiles the program on its standard input for an ATmega2560 and executes it until it sleeps, and prints what it wrote to its serial port.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download gcc-avr=1:5.4.0+Atmel3.6.2-3 binutils-avr=2.26.20160125+Atmel3.6.2-4 avr-libc=1:2.0.0+Atmel3.6.2-3 simavr=1.6+dfsg-3 libsimavr2=1.6+dfsg-3 \
	libelf1=0.188-2.1 libgmp10=2:6.2.1+dfsg1-1.1 libmpfr6=4.2.0-1 libmpc3=1.3.1-1
for p in ./*.deb; do dpkg -x "$p" root; done
export LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)

run() {
	local home=root/usr/lib/avr
	cat >program.c <<'C'
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <math.h>
#include <stdfix.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static int put(char c, FILE *f) { UDR0 = c; return 0; }
static FILE port = FDEV_SETUP_STREAM(put, NULL, _FDEV_SETUP_WRITE);
static void results(void);
int main(void) {
  stdout = &port;
  results();
  cli();
  sleep_enable();
  sleep_cpu();
}
C
	cat >>program.c
	PATH="$dir/root/usr/bin:$PATH" avr-gcc -mmcu=atmega2560 -O1 -w -std=gnu99 -fno-builtin -isystem $home/include -B $home/lib/avr6 -B $home/lib program.c -o program.elf \
		-L $home/lib/avr6 -L $home/lib -Wl,-u,vfprintf -lprintf_flt -lm
	# The simulator puts a point in place of the end of each line, and colors around it.
	timeout 100 root/usr/bin/simavr -m atmega2560 -f 16000000 program.elf 2>&1 | sed 's/\x1b\[[0-9;]*m//g; /^Loaded/d; s/\.$//'
}
