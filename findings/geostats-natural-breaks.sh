#!/usr/bin/env bash
# geostats: of 1 to 9 and 100, the natural breaks into three classes put 7, 8, 9 and 100 into one.
#
# Jenks' method makes the sum of squared differences from the means of the classes as small as it can be. For three classes that is 1-4 (or 1-5), the rest up to
# 9, and 100, with a sum of 15. The classes found have a sum of 6354. ckmeans of simple-statistics finds the least one.
# Seen in geostats 2.1.0 and simple-statistics 7.12.1 of npm.
source "$(dirname "$0")/npm.bash"
need geostats@2.1.0 simple-statistics@7.12.1
cat >main.cjs <<'PROGRAM'
const Geostats = require('geostats'), { ckmeans } = require('simple-statistics');
const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 100];
const cost = groups => groups.map(g => { const mean = g.reduce((a, b) => a + b) / g.length; return g.reduce((a, x) => a + (x - mean) ** 2, 0); }).reduce((a, b) => a + b);
const bounds = new Geostats(numbers).getClassJenks(3);
const groups = bounds.slice(1).map((to, i) => numbers.filter(x => x <= to && (i === 0 || x > bounds[i])));
console.log('geostats', JSON.stringify(groups), cost(groups));
console.log('ckmeans', JSON.stringify(ckmeans(numbers, 3)), cost(ckmeans(numbers, 3)));
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
geostats [[1,2,3],[4,5,6],[7,8,9,100]] 6354
ckmeans [[1,2,3,4],[5,6,7,8,9],[100]] 15
OUT
echo 'as found: 100 is in the class of 7'
