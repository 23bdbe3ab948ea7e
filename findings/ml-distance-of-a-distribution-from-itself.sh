#!/usr/bin/env bash
# ml-distance: where a probability is 0, the Jensen-Shannon divergence of a distribution from itself is not a number.
#
# It is 0, and defined for all distributions: 0 times the logarithm of 0 counts as 0, which is why it is taken in place of the divergence of Kullback and
# Leibler. topsoe is twice the same, and NaN too. canberra and clark have 0 / 0 for a coordinate that is 0 in both, where SciPy's canberra has 0.
# Seen in ml-distance 5.0.0 of npm.
source "$(dirname "$0")/npm.bash"
need ml-distance@5.0.0
cat >main.cjs <<'PROGRAM'
const { distance } = require('ml-distance');
for (const name of ['jensenShannon', 'topsoe', 'canberra', 'clark', 'euclidean', 'hellinger']) {
  console.log(name, distance[name]([0.5, 0.3, 0.2], [0.5, 0.3, 0.2]), distance[name]([0.5, 0.5, 0], [0.5, 0.5, 0]));
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
jensenShannon 0 NaN
topsoe 0 NaN
canberra 0 NaN
clark 0 NaN
euclidean 0 0
hellinger 0 0
OUT
echo 'as found: a distribution with a zero has no distance from itself'
