#!/usr/bin/env bash
# gonum: as quaternions, the square root, the logarithm and the square of -1 are not numbers.
#
# i times i is -1 among quaternions, too, and math/cmplx has i for the root of -1 and πi for its logarithm. Powers go by the logarithm, so that PowReal of -1
# and 2 is NaN, where the product of -1 with itself is 1.
# Seen in gonum.org/v1/gonum v0.17.0.
source "$(dirname "$0")/go.bash"
need gonum.org/v1/gonum v0.17.0
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"
	"math/cmplx"

	"gonum.org/v1/gonum/num/quat"
)

func main() {
	for _, x := range []float64{4, -1} {
		q := quat.Number{Real: x}
		fmt.Println(x, "root", quat.Sqrt(q), cmplx.Sqrt(complex(x, 0)), "log", quat.Log(q), cmplx.Log(complex(x, 0)), "square", quat.PowReal(q, 2), quat.Mul(q, q))
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
4 root (2+0i+0j+0k) (2+0i) log (1.3862943611198906+0i+0j+0k) (1.3862943611198906+0i) square (15.999999999999998+0i+0j+0k) (16+0i+0j+0k)
-1 root (NaN+0i+0j+0k) (0+1i) log (NaN+0i+0j+0k) (0+3.141592653589793i) square (NaN+0i+0j+0k) (1+0i+0j+0k)
OUT
echo 'as found: the square of -1 is not a number'
