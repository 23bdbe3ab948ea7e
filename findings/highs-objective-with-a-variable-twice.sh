#!/usr/bin/env bash
# HiGHS: in the objective of an LP file the last coefficient of a variable counts, and in constraints their sum does.
#
# "2 x + 3 x" as the objective is 3 x, and in a constraint 5 x. The largest x with 2 x + 3 x <= 10 is 2, and the objective there 6 instead of 10. The result is
# reported as optimal. GLPK and Cbc refuse such a line; QSopt_ex adds in both places.
# Seen in highs 1.15.3 of npm.
source "$(dirname "$0")/npm.bash"
need highs@1.15.3
cat >main.cjs <<'PROGRAM'
(async () => {
  const highs = await require('highs')();
  for (const [objective, constraint] of [['5 x', '5 x'], ['2 x + 3 x', '5 x'], ['5 x', '2 x + 3 x'], ['x + 4 x - 5 x', '5 x']]) {
    const s = highs.solve(`Maximize\n obj: ${objective}\nSubject To\n c: ${constraint} <= 10\n d: x <= 100\nEnd\n`);
    console.log(`${objective} with ${constraint} <= 10:`, s.Status, s.ObjectiveValue, 'x =', s.Columns.x.Primal);
  }
})();
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
5 x with 5 x <= 10: Optimal 10 x = 2
2 x + 3 x with 5 x <= 10: Optimal 6 x = 2
5 x with 2 x + 3 x <= 10: Optimal 10 x = 2
x + 4 x - 5 x with 5 x <= 10: Optimal 0 x = 0
OUT
echo 'as found: 2 x + 3 x is 3 x'
