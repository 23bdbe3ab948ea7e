#!/usr/bin/env bash
# GNU Octave: in a sparse matrix 0 times Inf is 0, where Inf is a number, and NaN where it is a matrix.
#
# A sparse matrix is a way to store one, and A * Inf of the same values in full storage has NaN where A has 0. Multiplied with the number Inf, the zeros that
# aren't stored stay; with a row of Inf they become NaN; with a sparse row of Inf they stay. 0 / 0 is 0, and 0 to the power of 0 is 1.
# Seen in octave 7.3.0-2 of Debian.
source "$(dirname "$0")/octave.bash"
each <<'CASES' | tee out
[0 1] * Inf
full(sparse([0 1]) * Inf)
full(sparse([0 1]) .* [Inf Inf])
full(sparse([0 1]) .* sparse([Inf Inf]))
full(sparse([0 1]) / 0)
full(sparse([0 1]) .^ 0)
CASES
diff out - <<'OUT'
[0 1] * Inf: NaN Inf
full(sparse([0 1]) * Inf): 0 Inf
full(sparse([0 1]) .* [Inf Inf]): NaN Inf
full(sparse([0 1]) .* sparse([Inf Inf])): 0 Inf
full(sparse([0 1]) / 0): 0 Inf
full(sparse([0 1]) .^ 0): 1 1
OUT
echo 'as found: the product depends on how the other factor is written'
