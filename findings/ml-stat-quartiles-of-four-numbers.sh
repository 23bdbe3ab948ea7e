#!/usr/bin/env bash
# ml-stat: the quartiles of 1, 2, 3 and 4 are 1, 2.5 and 3.
#
# The numbers lie evenly around 2.5, and so do their quartiles by every definition: 1.5 and 3.5, or 1.75 and 3.25, or 1.25 and 3.75. Of the same numbers with
# the other sign the package finds -4 and -2, which aren't the negatives of 3 and 1.
# Seen in ml-stat 1.3.3 of npm.
source "$(dirname "$0")/npm.bash"
need ml-stat@1.3.3
cat >main.cjs <<'PROGRAM'
const { array } = require('ml-stat');
for (const list of [[1, 2, 3, 4], [-1, -2, -3, -4], [1, 2, 3, 4, 5, 6, 7]]) console.log(list.join(), JSON.stringify(array.quartiles(list)));
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
1,2,3,4 {"q1":1,"q2":2.5,"q3":3}
-1,-2,-3,-4 {"q1":-4,"q2":-2.5,"q3":-2}
1,2,3,4,5,6,7 {"q1":2,"q2":4,"q3":6}
OUT
echo 'as found: even numbers have uneven quartiles'
