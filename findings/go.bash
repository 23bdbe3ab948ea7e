# What the scripts about Go modules share: a module in a temporary folder, which is the current one.
#
# need PATH VERSION... begins the module, which needs others; run executes its main.go.
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"

need() {
	printf 'module finding\n\ngo 1.26\n' >go.mod
	printf '\nrequire %s %s\n' "$@" >>go.mod
}

run() {
	GOFLAGS=-mod=mod go mod tidy 2>/dev/null
	go run .
}
