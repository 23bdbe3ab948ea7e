#!/usr/bin/env bash
# wavefile: a file of nothing but 1000, at twice the rate, begins with 770 and ends with 0.
#
# toSampleRate has a filter that takes what lies outside of the file for zeros, so that the first samples and the last ones are others. With the option LPF
# as false, without the filter, the second sample and the last one are 1063. By the method "linear", which has no filter, all are 1000.
# Seen in wavefile 11.0.0 of npm.
source "$(dirname "$0")/npm.bash"
need wavefile@11.0.0
cat >main.cjs <<'PROGRAM'
const { WaveFile } = require('wavefile');
for (const options of [{}, { LPFType: 'FIR' }, { LPF: false }, { method: 'linear' }]) {
  const file = new WaveFile();
  file.fromScratch(1, 8000, '16', Array(800).fill(1000));
  file.toSampleRate(16000, options);
  const samples = Array.from(file.getSamples(false, Float64Array));
  console.log(JSON.stringify(options), samples.length, 'begins', samples.slice(0, 3).join(), 'middle', samples[800], 'ends', samples.slice(-3).join());
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
{"method":"cubic","LPF":true,"LPFType":"IIR"} 1600 begins 770,1099,1088 middle 1000 ends 0,0,0
{"LPFType":"FIR","method":"cubic","LPF":true} 1600 begins 765,1095,1095 middle 1001 ends 0,-1,-1
{"LPF":false,"method":"cubic"} 1600 begins 1000,1063,1000 middle 1000 ends 1000,1000,1063
{"method":"linear","LPF":false} 1600 begins 1000,1000,1000 middle 1000 ends 1000,1000,1000
OUT
echo 'as found: the last sample is 0'
