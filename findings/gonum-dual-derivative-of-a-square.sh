#!/usr/bin/env bash
# gonum: by dual numbers the derivative of x^2 at 0 is 2e-15, and that of x^2 at -2 is NaN.
#
# dual.Mul(x, x) gives 0 and -4. dual.PowReal(x, 2) takes a base that is nearer to 0 than 1e-15 for 1e-15; dual.Pow, with 2 as a dual number, goes by way of the
# logarithm, so that the square of -2 is NaN, and so is the derivative at 0.
# Seen in gonum.org/v1/gonum v0.17.0.
source "$(dirname "$0")/go.bash"
need gonum.org/v1/gonum v0.17.0
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"

	"gonum.org/v1/gonum/num/dual"
)

func main() {
	two := dual.Number{Real: 2}
	for _, at := range []float64{3, 0, -2} {
		x := dual.Number{Real: at, Emag: 1}
		fmt.Println(at, dual.Mul(x, x), dual.PowReal(x, 2), dual.Pow(x, two))
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
3 (9+6ϵ) (9+6ϵ) (8.999999999999998+5.999999999999998ϵ)
0 (0+0ϵ) (0+2e-15ϵ) (0+NaNϵ)
-2 (4-4ϵ) (4-4ϵ) (NaN+NaNϵ)
OUT
echo 'as found: a square has another derivative by each of three functions'
