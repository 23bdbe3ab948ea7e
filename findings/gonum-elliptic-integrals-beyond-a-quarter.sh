#!/usr/bin/env bash
# gonum: the elliptic integral from 0 to π is 0.
#
# EllipticE is documented as the integral of a root, which is positive, so that it grows with its limit: with the parameter 0 it is the limit itself, and with
# 0.5 it is 2.70 at π, twice the complete one. It is computed by the sine of the limit, and beyond π/2 it falls. EllipticF does so, too.
# Seen in gonum.org/v1/gonum v0.17.0.
source "$(dirname "$0")/go.bash"
need gonum.org/v1/gonum v0.17.0
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

func main() {
	for _, limit := range []float64{1, 1.5, 2, math.Pi, 4} {
		sum := 0.0
		for i := 0; i < 10000; i++ {
			s := math.Sin((float64(i) + 0.5) * limit / 10000)
			sum += math.Sqrt(1-s*s/2) * limit / 10000
		}
		fmt.Printf("%.4f: %.4f, as a sum %.4f, with the parameter 0 %.4f\n", limit, mathext.EllipticE(limit, 0.5), sum, mathext.EllipticE(limit, 0))
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
1.0000: 0.9273, as a sum 0.9273, with the parameter 0 1.0000
1.5000: 1.3005, as a sum 1.3005, with the parameter 0 1.5000
2.0000: 1.0384, as a sum 1.6629, with the parameter 0 1.1416
3.1416: 0.0000, as a sum 2.7013, with the parameter 0 0.0000
4.0000: -0.8106, as a sum 3.5119, with the parameter 0 -0.8584
OUT
echo 'as found: an integral of what is positive falls'
