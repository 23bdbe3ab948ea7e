# What the scripts about packages of npm share: a temporary folder, which is the current one, and here, the folder of the scripts.
#
# need NAME@VERSION... installs packages there, without running anything of theirs.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

need() { npm install --silent --no-audit --no-fund --ignore-scripts "$@"; }
