#!/usr/bin/env bash
# Measures freehold against mlir-opt-19 in the same run: medians of whole
# processes, with hyperfine (installed if it is missing and apt-get works).
# Usage: internal/testing/bench/compare.sh SHARED   (the folder with models/ and tools/)
set -euo pipefail
cd "$(dirname "$0")/../../.."
shared=${1:-../shared}
command -v hyperfine >/dev/null || apt-get install -y -qq hyperfine
CGO_ENABLED=0 go build -o bin/freehold ./cmd/freehold
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# compare NAME INPUT REFERENCE? FLAGS...
compare() {
	local name=$1 input=$2 reference=$3
	shift 3
	printf '%-28s' "$name"
	local commands=("bin/freehold opt $* $input -o $tmp/ours")
	[ "$reference" = yes ] && commands+=("mlir-opt-19 $* $input -o $tmp/theirs")
	hyperfine --warmup 1 --min-runs 5 --export-json "$tmp/times" "${commands[@]}" >/dev/null 2>&1
	python3 - "$tmp/times" <<'PY'
import json, sys
t = [r['median'] for r in json.load(open(sys.argv[1]))['results']]
print(f'{t[0] * 1000:10.1f} ms' + (f'{t[1] * 1000:12.1f} ms {t[1] / t[0]:8.1f} x' if len(t) > 1 else ''))
PY
}

generate() {
	python3 "$shared/tools/gen_scale.py" "$1" "$2" >"$tmp/$1$2.mlir"
	echo "$tmp/$1$2.mlir"
}

echo 'module {}' >"$tmp/empty.mlir"
osb="'--one-shot-bufferize=bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map'"
printf '%-28s%13s%15s\n' '' freehold mlir-opt-19
compare 'start-up' "$tmp/empty.mlir" yes
compare 'Llama: read and print' "$shared/models/llama2_decoder.mlir" yes
compare 'Llama: whole pipeline' "$shared/models/llama2_decoder.mlir" yes "$osb" --buffer-deallocation-pipeline
compare 'funcs 10000: read and print' "$(generate funcs 10000)" yes
compare 'funcs 10000: canonicalize' "$(generate funcs 10000)" yes --canonicalize --cse
compare 'funcs 10000: deallocation' "$(generate funcs 10000)" yes --buffer-deallocation-pipeline
compare 'straight 1000: deallocation' "$(generate straight 1000)" yes --buffer-deallocation-pipeline
compare 'straight 10000: deallocation' "$(generate straight 10000)" no --buffer-deallocation-pipeline
compare 'straight 100000' "$(generate straight 100000)" no --buffer-deallocation-pipeline
compare 'cfg 15: deallocation' "$(generate cfg 15)" yes --buffer-deallocation-pipeline
compare 'cfg 30: deallocation' "$(generate cfg 30)" no --buffer-deallocation-pipeline
compare 'cfg 1000: deallocation' "$(generate cfg 1000)" no --buffer-deallocation-pipeline
compare 'cfg 10000: deallocation' "$(generate cfg 10000)" no --buffer-deallocation-pipeline
compare 'tensor 300: end to end' "$(generate tensor 300)" yes "$osb" --buffer-deallocation-pipeline
