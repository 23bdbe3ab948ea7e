# What the scripts about klibc share: Debian's klibc in a temporary folder, and the machine's compiler and headers of Linux.
#
# run compiles the program on its standard input, links it statically, and executes it.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download libklibc-dev=2.0.12-1
dpkg -x ./*.deb root
home=root/usr/lib/klibc

run() {
	gcc -O1 -fno-builtin -fno-stack-protector -w -nostdinc -isystem $home/include -isystem $home/include/arch/x86_64 -isystem $home/include/bits64 \
		-isystem "$(gcc -print-file-name=include)" -idirafter /usr/include/x86_64-linux-gnu -idirafter /usr/include -D__KLIBC__=2 -D__KLIBC_MINOR__=0 -D_BITSIZE=64 \
		-nostdlib -static -fno-pie -no-pie $home/lib/crt0.o -x c - -x none $home/lib/libc.a -o program
	./program
}
