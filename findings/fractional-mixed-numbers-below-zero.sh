#!/usr/bin/env bash
# fractional: it writes -1.5 as "-1 1/2", and reads that as -1/2.
#
# The sign is that of the whole part alone, and the fraction is added to it: -1 + 1/2. So what toString has written isn't what the constructor reads, for all
# fractions below -1. Those above 1 come back as they were.
# Seen in fractional 1.0.0 of npm.
source "$(dirname "$0")/npm.bash"
need fractional@1.0.0
cat >main.cjs <<'PROGRAM'
const { Fraction } = require('fractional');
for (const x of [1.5, -0.5, -1.5, -7.25]) {
  const text = new Fraction(x).toString();
  console.log(x, text, new Fraction(text).toString());
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
1.5 1 1/2 1 1/2
-0.5 -1/2 -1/2
-1.5 -1 1/2 -1/2
-7.25 -7 1/4 -6 3/4
OUT
echo 'as found: -1 1/2 is -1/2'
