#!/usr/bin/env bash
# javascript-lp-solver: a constraint on the quantity that is optimized is dropped, and the problem is called unbounded.
#
# Constraints name what they limit, and the objective is such a name, too: the largest profit, where the profit must not exceed 7. The constraint isn't heeded,
# while YALPS, made after this solver, with the same models, finds 7. With a second name for the same quantity, this one finds 7 as well.
# Seen in javascript-lp-solver 1.0.3 and yalps 0.6.4 of npm.
source "$(dirname "$0")/npm.bash"
need javascript-lp-solver@1.0.3 yalps@0.6.4
cat >main.mjs <<'PROGRAM'
import lp from 'javascript-lp-solver';
import { solve } from 'yalps';
const limit = { profit: { max: 7 } }, renamed = { p: { max: 7 } };
const variables = { tables: { profit: 2, p: 2 }, chairs: { profit: 3, p: 3 } };
for (const constraints of [limit, renamed]) {
  const a = lp.Solve({ optimize: 'profit', opType: 'max', constraints, variables });
  const b = solve({ objective: 'profit', direction: 'maximize', constraints, variables });
  console.log(Object.keys(constraints)[0], 'javascript-lp-solver:', a.bounded, a.result, 'yalps:', b.status, b.result);
}
PROGRAM
node main.mjs | tee out
diff out - <<'OUT'
profit javascript-lp-solver: false Infinity yalps: optimal 7
p javascript-lp-solver: true 7 yalps: optimal 7
OUT
echo 'as found: what is at most 7 is infinite'
