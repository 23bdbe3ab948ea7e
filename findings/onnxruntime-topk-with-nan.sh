#!/usr/bin/env bash
# ONNX Runtime: the two largest of 1, NaN, 3, 2 are 1 and NaN.
#
# A NaN isn't the largest number (as in NumPy), nor the least: TopK keeps what is on its heap when a comparison with NaN is false. So
# what it returns depends on the order: of 1, 2, 3, NaN it is 3 and 2, of NaN, 1, 2, 3 it is NaN and 3, and of 1, NaN, 3, 2 the 3 is lost.
# Seen in onnxruntime-node 1.30.0 of npm, on the processor (x86-64).
source "$(dirname "$0")/npm.bash"
need onnxruntime-node@1.30.0
cat >main.cjs <<'PROGRAM'
const { run, f32, i64 } = require(process.argv[2]);
(async () => {
  for (const data of [[1, 2, 3, NaN], [NaN, 1, 2, 3], [1, NaN, 3, 2]]) {
    const [values] = await run('TopK', { data: f32(data), k: i64([2]) }, ['float32', 'int64'], {}, 11);
    console.log(data.join(), 'has', values.join());
  }
})();
PROGRAM
node main.cjs "$here/onnx.cjs" | tee out
diff out - <<'OUT'
1,2,3,NaN has 3,2
NaN,1,2,3 has NaN,3
1,NaN,3,2 has 1,NaN
OUT
echo 'as found: the largest number is not among the two largest'
