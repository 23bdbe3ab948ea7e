#!/usr/bin/env bash
# ml-sparse-matrix: exp and cos of 0 are 0, and the logarithm of 0 is 0.
#
# Functions and sums with a number go over the elements that are stored. What isn't stored is 0 afterwards, whatever the function makes of 0. sin and sqrt, by
# which 0 stays 0, are right.
# Seen in ml-sparse-matrix 3.1.0 of npm.
source "$(dirname "$0")/npm.bash"
need ml-sparse-matrix@3.1.0
cat >main.cjs <<'PROGRAM'
(async () => {
  const { SparseMatrix } = await import('ml-sparse-matrix');
  for (const name of ['sin', 'sqrt', 'exp', 'cos', 'log']) console.log(name, JSON.stringify(new SparseMatrix([[1, 0]])[name]().to2DArray()), Math[name](1), Math[name](0));
  console.log('add 1', JSON.stringify(new SparseMatrix([[1, 0]]).add(1).to2DArray()));
})();
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
sin [[0.8414709848078965,0]] 0.8414709848078965 0
sqrt [[1,0]] 1 0
exp [[2.718281828459045,0]] 2.718281828459045 1
cos [[0.5403023058681398,0]] 0.5403023058681398 1
log [[0,0]] 0 -Infinity
add 1 [[2,0]]
OUT
echo 'as found: exp of 0 is 0'
