#!/usr/bin/env bash
# vectorious: reshape and map of a view take the memory in order, and not the elements of the view.
#
# Of 1 to 6, every second one is a view of 1, 3, 5; reshaped to three elements it is 1, 2, 3. map of a transposition is in the order from before it, so that
# a.T.map(x => x) isn't a.T, while scale(1) is. sum, max and toArray of the same views are right.
# Seen in vectorious 6.1.14 of npm.
source "$(dirname "$0")/npm.bash"
need vectorious@6.1.14
cat >main.cjs <<'PROGRAM'
const { array } = require('vectorious');
const list = () => array([1, 2, 3, 4, 5, 6]).slice(0, 6, 2), table = () => array([[1, 2], [3, 4]]).T;
console.log('view', JSON.stringify(list().toArray()), 'sum', list().sum(), 'reshaped', JSON.stringify(list().reshape(3).toArray()));
console.log('view', JSON.stringify(table().toArray()), 'mapped', JSON.stringify(table().map(x => x).toArray()), 'scaled', JSON.stringify(table().scale(1).toArray()));
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
view [1,3,5] sum 9 reshaped [1,2,3]
view [[1,3],[2,4]] mapped [[1,2],[3,4]] scaled [[1,3],[2,4]]
OUT
echo 'as found: a view reshaped has other elements'
