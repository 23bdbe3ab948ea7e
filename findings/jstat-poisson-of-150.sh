#!/usr/bin/env bash
# jStat: the probability of 150 events where 150 are expected is infinite, and that of 180 is not a number.
#
# It is the power of what is expected times e^-150, divided by a factorial; the power is beyond the range of double precision from there on, and from 171 on
# the factorial is, too. The right values are 0.0326 and 0.0297. Sums of such probabilities, as the cumulative one, become NaN. The binomial distribution,
# which has the same factorials, is computed by logarithms and is right.
# Seen in jstat 1.9.6 of npm.
source "$(dirname "$0")/npm.bash"
need jstat@1.9.6
cat >main.cjs <<'PROGRAM'
const { jStat } = require('jstat');
for (const n of [100, 140, 150, 180]) {
  let log = -n;
  for (let k = 1; k <= n; k++) log += Math.log(n / k);
  console.log(n, 'jStat', jStat.poisson.pdf(n, n).toFixed(6), 'by logarithms', Math.exp(log).toFixed(6));
}
console.log('cumulative', jStat.poisson.cdf(180, 180));
console.log('binomial', jStat.binomial.pdf(500, 1000, 0.5).toFixed(6));
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
100 jStat 0.039861 by logarithms 0.039861
140 jStat 0.033697 by logarithms 0.033697
150 jStat Infinity by logarithms 0.032555
180 jStat NaN by logarithms 0.029722
cumulative NaN
binomial 0.025225
OUT
echo 'as found: a probability is infinite'
