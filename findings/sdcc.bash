# What the scripts about SDCC share: the compiler for microcontrollers of 8 bits and its simulator, both of Debian, in a temporary folder.
#
# results compiles the program on its standard input for STM8, runs it in the simulator until it comes to the function done, and prints the 32-bit numbers that
# it wrote into the array out, as the bits of floats, one a line.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download sdcc=4.2.0+dfsg-1 sdcc-libraries=4.2.0+dfsg-1 sdcc-ucsim=4.2.0+dfsg-1
for p in ./*.deb; do dpkg -x "$p" root; done

results() {
	cat >program.c <<'C'
#include <math.h>
#include <stdint.h>
typedef union { float value; uint32_t bits; } number;
uint32_t out[32];
uint8_t n;
void done(void) { for (;;); }
static void tell(float x) { number y; y.value = x; out[n++] = y.bits; }
static float of(uint32_t bits) { number y; y.bits = bits; return y.value; }
volatile float input;
/* A number that the compiler doesn't know. */
static float var(float x) { input = x; return input; }
C
	cat >>program.c
	PATH="$dir/root/usr/bin:$PATH" sdcc -mstm8 --std-c99 --nostdinc -I root/usr/share/sdcc/include --nostdlib -L root/usr/share/sdcc/lib/stm8 \
		-l stm8 program.c -o program.ihx 2>compiler.txt || { cat compiler.txt; return 1; }
	local end start
	end=$(awk '$2 == "_done" { print $1; exit }' program.map)
	start=$(awk '$2 == "_out" { print $1; exit }' program.map)
	printf 'break 0x%s\nrun\ndump /h rom 0x%s 0x%x\nquit\n' "$end" "$start" $((0x$start + 127)) |
		timeout 100 root/usr/bin/sstm8 -t STM8S208 program.ihx >simulator.txt 2>&1 || true
	# Of the lines of the dump, eight bytes each, in hexadecimal behind an address.
	sed 's/\x1b\[[0-9;]*[A-Za-z]//g' simulator.txt | awk '/^0x0[0-9a-f]* ([0-9a-f][0-9a-f] )+/ { for (i = 2; i <= 9 && $i ~ /^[0-9a-f][0-9a-f]$/; i++) printf "%s%s", $i, (++k % 4 ? "" : "\n") }'
}

# expect TEXT FILE fails unless the first lines of a file are those words.
expect() {
	local seen
	seen=$(head -n "$(wc -w <<<"$1")" "$2" | paste -sd' ')
	echo "seen: $seen"
	if [[ $seen != "$1" ]]; then
		echo "it was: $1: that has changed"
		exit 1
	fi
}
