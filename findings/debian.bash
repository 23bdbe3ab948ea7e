# What the scripts about packages of Debian share that need no more than these: a temporary folder, which is the current one.
#
# unpack downloads packages, written NAME=VERSION, and unpacks them into the folder root.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

unpack() {
	apt-get -qq download "$@"
	local p
	for p in ./*.deb; do dpkg -x "$p" root; done
}
