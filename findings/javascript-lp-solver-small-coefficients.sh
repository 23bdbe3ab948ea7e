#!/usr/bin/env bash
# javascript-lp-solver and YALPS: with 1e-9 x <= 1 there is no largest x, and the largest 1e-9 x is 0.
#
# Numbers below 1e-8 are taken for 0 wherever they stand, whatever the size of the others: as a coefficient of a constraint, which then isn't one, and as a
# coefficient of the objective, which is then flat. The results are "unbounded" and an optimum of 0, instead of 1e9 and 1. Bytes and seconds in one model are
# enough for such numbers.
# Seen in javascript-lp-solver 1.0.3 and yalps 0.6.4 of npm.
source "$(dirname "$0")/npm.bash"
need javascript-lp-solver@1.0.3 yalps@0.6.4
cat >main.mjs <<'PROGRAM'
import lp from 'javascript-lp-solver';
import { solve } from 'yalps';
for (const [gain, weight, limit] of [[1, 1e-6, 1], [1, 1e-9, 1], [1e-6, 1, 1e6], [1e-9, 1, 1e9]]) {
  const constraints = { weight: { max: limit } }, variables = { x: { gain, weight } };
  const a = lp.Solve({ optimize: 'gain', opType: 'max', constraints, variables });
  const b = solve({ objective: 'gain', direction: 'maximize', constraints, variables });
  console.log(`max ${gain} x, ${weight} x <= ${limit}:`, a.feasible, a.bounded, a.result, b.status, b.result);
}
PROGRAM
node main.mjs | tee out
diff out - <<'OUT'
max 1 x, 0.000001 x <= 1: true true 1000000 optimal 1000000
max 1 x, 1e-9 x <= 1: true false Infinity unbounded Infinity
max 0.000001 x, 1 x <= 1000000: true true 1 optimal 1
max 1e-9 x, 1 x <= 1000000000: true true -0 optimal -0
OUT
echo 'as found: a coefficient of 1e-9 is none'
