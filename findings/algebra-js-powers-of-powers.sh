#!/usr/bin/env bash
# algebra.js: 2^3^2 is 64.
#
# A power of a power is read from the right, 2^9 or 512, as mathematics has it, and JavaScript's ** too. The parser reads it from the left. x^3^2 is x^6 as
# well, and -2^2 is -4, as it should.
# Seen in algebra.js 0.2.6 of npm.
source "$(dirname "$0")/npm.bash"
need algebra.js@0.2.6
cat >main.cjs <<'PROGRAM'
const { parse } = require('algebra.js');
for (const text of ['2^3', '2^3^2', '2^(3^2)', 'x^3^2', '-2^2']) {
  let value;
  try { value = parse(text).toString(); } catch (error) { value = 'an error'; }
  console.log(text, 'is', value);
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
2^3 is 8
2^3^2 is 64
2^(3^2) is 512
x^3^2 is x^6
-2^2 is -4
OUT
echo 'as found: 2^3^2 is 64'
