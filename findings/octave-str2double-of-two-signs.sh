#!/usr/bin/env bash
# GNU Octave: str2double of "--5" is 5, and that of "1e400" is NaN.
#
# The manual has NaN for what can't be read as a number. Two minus signs are a plus, and of a plus and a minus the minus counts; and a number that is too
# large isn't infinite, though "Inf" is read, and str2num makes Inf of 1e400.
# Seen in octave 7.3.0-2 of Debian.
source "$(dirname "$0")/octave.bash"
each <<'CASES' | tee out
str2double("-5")
str2double("--5")
str2double("+-5")
str2double("1e308")
str2double("1e400")
str2num("1e400")
str2double("Inf")
CASES
diff out - <<'OUT'
str2double("-5"): -5
str2double("--5"): 5
str2double("+-5"): -5
str2double("1e308"): 1.0000e+308
str2double("1e400"): NaN
str2num("1e400"): Inf
str2double("Inf"): Inf
OUT
echo 'as found: two minus signs are none, and a large number is not one'
