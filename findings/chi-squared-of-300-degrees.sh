#!/usr/bin/env bash
# chi-squared: with 300 degrees of freedom the density at 300 is infinite, and with 350 it is not a number.
#
# It is 0.0163 and 0.0151. The gamma function of half the degrees, and the power that is divided by it, are computed by themselves, and beyond 171 the first is
# infinite. cdf goes by way of logarithms, and is right for the same arguments: a difference of two of its values, beside it, is the density.
# Seen in chi-squared 1.1.0 of npm.
source "$(dirname "$0")/npm.bash"
need chi-squared@1.1.0
cat >main.cjs <<'PROGRAM'
const chi = require('chi-squared');
for (const k of [2, 200, 300, 350]) console.log(k, 'pdf', chi.pdf(k, k).toPrecision(3), 'by cdf', ((chi.cdf(k + 0.5, k) - chi.cdf(k - 0.5, k)) / 1).toPrecision(3));
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
2 pdf 0.184 by cdf 0.186
200 pdf 0.0199 by cdf 0.0199
300 pdf Infinity by cdf 0.0163
350 pdf NaN by cdf 0.0151
OUT
echo 'as found: the density is infinite'
