#!/usr/bin/env bash
# seedrandom: xorshift7 gives the same numbers for each seed that is a string of up to seven characters.
#
# The package has several generators with one way to seed them; strings like 'hello.' are what its examples use. In this one a character is added to an element
# of the state that isn't set yet, which drops it, so that 'a', 'b' and 0.5 give one sequence; of longer ones the first seven characters don't matter. Whole
# numbers give a sequence each, and so do all seeds of the other generators.
# Seen in seedrandom 3.0.5 of npm.
source "$(dirname "$0")/npm.bash"
need seedrandom@3.0.5
cat >main.cjs <<'PROGRAM'
const seedrandom = require('seedrandom');
for (const name of ['xorshift7', 'xor4096', 'xorwow', 'xor128', 'tychei', 'alea']) {
  console.log(name, ['a', 'b', 'hello.', 0.5, 'temperature', 'comperature', 1, 2].map(seed => seedrandom[name](seed)().toFixed(6)).join(' '));
}
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
xorshift7 0.740436 0.740436 0.740436 0.740436 0.870657 0.870657 0.212415 0.437642
xor4096 0.357378 0.169295 0.979853 0.954537 0.961630 0.167337 0.152044 0.908771
xorwow 0.657074 0.595937 0.142543 0.112327 0.788047 0.937539 0.817800 0.790306
xor128 0.329502 0.676955 0.698392 0.266071 0.953227 0.376743 0.796380 0.550074
tychei 0.052382 0.582649 0.467617 0.201473 0.260080 0.485084 0.423314 0.938261
alea 0.424557 0.573315 0.478325 0.059345 0.516633 0.741505 0.526047 0.457568
OUT
echo 'as found: all short strings are one seed'
