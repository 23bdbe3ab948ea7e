#!/usr/bin/env bash
# notepack.io: 1e300 and 2^64 are written as 0.
#
# A number without a fraction is written as an integer of 64 bits at most, however large it is; MessagePack has doubles for those that don't fit, and here they
# are used for 0.1 or 1.5. So 1e19 comes back, 2^64 is 0, and 3e20 another number; -1e300 is 0, too. Infinity and NaN are written as doubles. There is no
# error.
# Seen in notepack.io 3.0.1 of npm.
source "$(dirname "$0")/npm.bash"
need notepack.io@3.0.1
cat >main.cjs <<'PROGRAM'
const { encode, decode } = require('notepack.io');
for (const x of [1.5, 1e19, 2 ** 64, 3e20, 1e300, -1e300, Infinity]) console.log(x, 'is', decode(encode(x)), 'written as', encode(x).toString('hex'));
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
1.5 is 1.5 written as cb3ff8000000000000
10000000000000000000 is 10000000000000000000 written as cf8ac7230489e80000
18446744073709552000 is 0 written as cf0000000000000000
300000000000000000000 is 4852094820647174000 written as cf43561a8829300000
1e+300 is 0 written as cf0000000000000000
-1e+300 is 0 written as d30000000000000000
Infinity is Infinity written as cb7ff0000000000000
OUT
echo 'as found: 1e300 is 0'
