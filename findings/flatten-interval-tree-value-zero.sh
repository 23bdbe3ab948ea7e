#!/usr/bin/env bash
# flatten-interval-tree: of intervals with the values 0, 1 and 2 those that hold a point are the interval itself, 1 and 2.
#
# insert takes an interval, as the time in which a buffer is in use, and a value, as its number; search gives the values. One would expect 0 like other numbers.
# Seen: in place of a value that is false for JavaScript, 0, false, null or an empty string, the interval comes back, as it does where no value was given.
# Seen in flatten-interval-tree 0.3.4 of npm.
source "$(dirname "$0")/npm.bash"
need flatten-interval-tree@0.3.4
cat >main.mjs <<'PROGRAM'
import tree from 'flatten-interval-tree';
const Tree = tree.default ?? tree;
for (const values of [[0, 1, 2], [false, true], ['', 'a']]) {
  const t = new Tree();
  for (const v of values) t.insert([1, 9], v);
  console.log(JSON.stringify(values), 'are', JSON.stringify(t.search([5, 5])));
}
PROGRAM
node main.mjs | tee out
diff out - <<'OUT'
[0,1,2] are [[1,9],1,2]
[false,true] are [[1,9],true]
["","a"] are [[1,9],"a"]
OUT
echo 'as found: 0 is an interval'
