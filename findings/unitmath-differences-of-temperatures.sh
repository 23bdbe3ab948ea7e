#!/usr/bin/env bash
# unitmath: 20 degrees Celsius less 10 are -263.15 degrees, and twice 20 are 313.15.
#
# All is computed in kelvins from absolute zero, and converted back: the difference of 10 kelvins is -263.15 on the scale of Celsius. There is no unit for a
# difference of two temperatures but K, and 20 degC - 10 degC is 10 K only after to("K"). In fahrenheit the same difference is another one.
# Seen in unitmath 0.8.8 of npm.
source "$(dirname "$0")/npm.bash"
need unitmath@0.8.8
cat >main.mjs <<'PROGRAM'
import unit from 'unitmath';
const show = u => u.toString({ precision: 6 });
console.log('20 degC - 10 degC', show(unit('20 degC').sub('10 degC')), show(unit('20 degC').sub('10 degC').to('K')));
console.log('1 degC + 1 degC', show(unit('1 degC').add('1 degC')));
console.log('20 degC * 2', show(unit('20 degC').mul(2)));
console.log('68 degF - 50 degF', show(unit('68 degF').sub('50 degF')));
PROGRAM
node main.mjs | tee out
diff out - <<'OUT'
20 degC - 10 degC -263.15 degC 10 K
1 degC + 1 degC 275.15 degC
20 degC * 2 313.15 degC
68 degF - 50 degF -441.67 degF
OUT
echo 'as found: ten degrees are -263.15'
