# What the scripts about dietlibc share: Debian's dietlibc in a temporary folder, and the machine's compiler.
#
# build compiles the program on its standard input and links it statically; run does so, and executes it.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download dietlibc-dev=0.34~cvs20160606-14
dpkg -x ./*.deb root
home=$(dirname "$(find "$dir/root" -path '*lib-x86_64/start.o' | head -n 1)")

build() {
	gcc -O1 -fno-builtin -fno-stack-protector -w -nostdinc -isystem "$home/../include" -isystem "$dir/root/usr/lib/diet/include" -isystem "$(gcc -print-file-name=include)" \
		-nostdlib -static -fno-pie -no-pie "$home/start.o" -x c - -x none -o program -Wl,--start-group "$home/libm.a" "$home/libc.a" -lgcc -Wl,--end-group
}

run() { build && ./program; }
