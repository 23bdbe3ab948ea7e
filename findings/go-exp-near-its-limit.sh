#!/usr/bin/env bash
# Go: the exponential of 709.7 is infinite on amd64, and so are the hyperbolic sine and cosine of 709.7.
#
# exp of 709.7 is 1.65e308, below the largest float64, 1.8e308, whose logarithm is 709.78. The product of exp(709) and exp(0.7) is right. On amd64 math.Exp is written in assembly,
# and becomes infinite at 709.44. cosh(709.7) is half of it.
# Seen in Go 1.26.8 on amd64.
source "$(dirname "$0")/go.bash"
export GOTOOLCHAIN=go1.26.8
test "$(go env GOARCH)" = amd64
printf 'module finding\n\ngo 1.26.0\n' >go.mod
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"
	"math"
)

func main() {
	for _, x := range []float64{709.4, 709.5, 709.7} {
		fmt.Println(x, "exp", math.Exp(x), "by parts", math.Exp(709)*math.Exp(x-709), "cosh", math.Cosh(x), "by parts", math.Cosh(709)*math.Exp(x-709))
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
709.4 exp 1.2260423226426727e+308 by parts 1.2260423226426727e+308 cosh 6.130211613213363e+307 by parts 6.130211613213363e+307
709.5 exp +Inf by parts 1.3549863193146328e+308 cosh +Inf by parts 6.774931596573164e+307
709.7 exp +Inf by parts 1.6549840276802644e+308 cosh +Inf by parts 8.274920138401322e+307
OUT
echo 'as found: exp of 709.7 is infinite'
