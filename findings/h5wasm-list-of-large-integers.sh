#!/usr/bin/env bash
# h5wasm: a list with the integer 2^40 is written as 0.
#
# create_dataset takes a list of numbers, and chooses a type by looking at them: a list with a fraction becomes float64, and one of integers int32, also where
# they don't fit into it. 2^40 is 0, 2^31 is -2147483648, and nothing is said. 1e300 is an integer, and 0 as well.
# Seen in h5wasm 0.10.3 of npm.
source "$(dirname "$0")/npm.bash"
need h5wasm@0.10.3
cat >main.mjs <<'PROGRAM'
import h5wasm from 'h5wasm/node';
await h5wasm.ready;
for (const data of [[2 ** 40 + 0.5], [2 ** 40], [2 ** 31], [1e300, 7]]) {
  const file = new h5wasm.File('file.h5', 'w');
  file.create_dataset({ name: 'x', data });
  const x = file.get('x');
  console.log(data, x.dtype, x.value);
  file.close();
}
PROGRAM
node main.mjs | tee out
diff out - <<'OUT'
[ 1099511627776.5 ] <d Float64Array(1) [ 1099511627776.5 ]
[ 1099511627776 ] <i Int32Array(1) [ 0 ]
[ 2147483648 ] <i Int32Array(1) [ -2147483648 ]
[ 1e+300, 7 ] <i Int32Array(2) [ 0, 7 ]
OUT
echo 'as found: 2^40 is 0 in the file'
