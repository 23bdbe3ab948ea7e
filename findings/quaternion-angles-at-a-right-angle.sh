#!/usr/bin/env bash
# quaternion: of the turns 0, 90 degrees and 0.3, the angles that come back are 0, 90 degrees and 0.165, which is another turn.
#
# Where the angle in the middle is a right one, the other two turn around the same axis, and the first can be taken for 0; it is 0 here from the beginning, so
# that the third must be 0.3. It is computed from the first two of four numbers that are nearly 0. At a hundredth less than 90 degrees all three come back.
# Seen in quaternion 2.2.0 of npm.
source "$(dirname "$0")/npm.bash"
need quaternion@2.2.0
cat >main.cjs <<'PROGRAM'
const module_ = require('quaternion');
const Quaternion = module_.default || module_;
for (const middle of [Math.PI / 4, Math.PI / 2 - 0.01, Math.PI / 2]) {
  const turn = Quaternion.fromEuler(0, middle, 0.3, 'ZYX'), angles = turn.toEuler('ZYX'), back = Quaternion.fromEuler(...angles, 'ZYX');
  const show = v => v.map(x => (x + 1e-9).toFixed(3)).join();
  console.log(middle.toFixed(3), 'angles', show(angles), 'the vector 0, 1, 0 is turned to', show(turn.rotateVector([0, 1, 0])), 'and by these to', show(back.rotateVector([0, 1, 0])));
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
0.785 angles 0.000,0.785,0.300 the vector 0, 1, 0 is turned to 0.209,0.955,0.209 and by these to 0.209,0.955,0.209
1.561 angles 0.000,1.561,0.300 the vector 0, 1, 0 is turned to 0.296,0.955,0.003 and by these to 0.296,0.955,0.003
1.571 angles 0.000,1.571,0.165 the vector 0, 1, 0 is turned to 0.296,0.955,0.000 and by these to 0.164,0.986,0.000
OUT
echo 'as found: the angles of a turn are those of another'
