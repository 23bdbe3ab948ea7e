#!/usr/bin/env bash
# GNU Octave: int2str of the int64 2^53 + 1 is 9007199254740992, and mat2str 9.00719925474099e+15.
#
# int2str is there for integers, and num2str and sprintf give all digits of the same value. int2str rounds it first, and thereby makes a double of it. mat2str
# is there so that eval gives the value back, and has 15 digits also for integers.
# Seen in octave 7.3.0-2 of Debian.
source "$(dirname "$0")/octave.bash"
each <<'CASES' | tee out
num2str(int64(2^53) + 1)
sprintf("%d", int64(2^53) + 1)
int2str(int64(2^53) + 1)
mat2str(int64(2^53) + 1)
eval(mat2str(int64(2^53) + 1)) - int64(2^53)
CASES
diff out - <<'OUT'
num2str(int64(2^53) + 1): 9007199254740993
sprintf("%d", int64(2^53) + 1): 9007199254740993
int2str(int64(2^53) + 1): 9007199254740992
mat2str(int64(2^53) + 1): 9.00719925474099e+15
eval(mat2str(int64(2^53) + 1)) - int64(2^53): -2
OUT
echo 'as found: the last digit is lost where a function for integers writes it'
