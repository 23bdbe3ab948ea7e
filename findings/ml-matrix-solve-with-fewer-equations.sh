#!/usr/bin/env bash
# ml-matrix: solve with the singular value decomposition gives NaN for one equation with two unknowns.
#
# The decomposition is there for systems without one solution: with three equations for two unknowns, or dependent ones, solve(A, b, true) gives the best or the
# smallest one. For x + y = 2 that is 1, 1. The matrix with one row gets two singular values, the second of them 0 or next to it, and the result is NaN. The
# product of the pseudoinverse of the same matrix with b is right.
# Seen in ml-matrix 6.15.1 of npm.
source "$(dirname "$0")/npm.bash"
need ml-matrix@6.15.1
cat >main.cjs <<'PROGRAM'
const { Matrix, SVD, solve, pseudoInverse } = require('ml-matrix');
console.warn = () => {};
const one = new Matrix([[1, 1]]);
const dependent = new Matrix([[1, 1], [1, 1]]);
console.log('dependent', solve(dependent, Matrix.columnVector([2, 2]), true).to1DArray().map(x => x.toFixed(6)).join());
console.log('one', solve(one, Matrix.columnVector([2]), true).to1DArray().join());
console.log('singular values', new SVD(one).diagonal.length);
console.log('by the pseudoinverse', pseudoInverse(one).mmul(Matrix.columnVector([2])).to1DArray().map(x => x.toFixed(6)).join());
PROGRAM
node main.cjs | tee out
diff out - <<'OUT'
dependent 1.000000,1.000000
one NaN,NaN
singular values 2
by the pseudoinverse 1.000000,1.000000
OUT
echo 'as found: the solution of x + y = 2 is not a number'
