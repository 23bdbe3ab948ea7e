#!/usr/bin/env bash
# vectorious: solve and inv of a transposition are those of the matrix that was transposed.
#
# A transposition is a view with other strides. Its elements, its sum with a matrix and its product are right, while the decomposition reads the memory in
# order: [[1, 3], [2, 4]] x = [1, 2] has the solution 1, 0, and the result is 0, 0.5. With a copy() of the view both are right.
# Seen in vectorious 6.1.14 of npm.
source "$(dirname "$0")/npm.bash"
need vectorious@6.1.14
cat >main.cjs <<'PROGRAM'
const { array } = require('vectorious');
const show = (name, m) => console.log(name, JSON.stringify(m.toArray().map(row => row.map(x => +x.toFixed(9)))));
const a = array([[1, 2], [3, 4]]);
for (const [name, m] of [['view', a.T], ['copy', a.T.copy()]]) {
  show(name + ' elements', m);
  show(name + ' inverse ', m.inv());
  show(name + ' solution', m.solve(array([[1], [2]])));
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
view elements [[1,3],[2,4]]
view inverse  [[-2,1],[1.5,-0.5]]
view solution [[0],[0.5]]
copy elements [[1,3],[2,4]]
copy inverse  [[-2,1.5],[1,-0.5]]
copy solution [[1],[0]]
OUT
echo 'as found: another system is solved'
