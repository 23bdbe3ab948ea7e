#!/usr/bin/env bash
# gonum: as quaternions, asinh of 1e10 is 23.7, and asinh of -1e10 is -12.5.
#
# The function is odd, and math.Asinh is. For negative numbers a difference of two large ones is taken, of which the lower bits are lost: from -1e5 on digits
# are wrong, and from -1e8 on the result goes back towards 0.
# Seen in gonum.org/v1/gonum v0.17.0.
source "$(dirname "$0")/go.bash"
need gonum.org/v1/gonum v0.17.0
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/quat"
)

func main() {
	for _, x := range []float64{1, 1e5, 1e7, 1e8, 1e10} {
		fmt.Printf("%g: %.4f %.4f, %.4f %.4f\n", x, quat.Asinh(quat.Number{Real: x}).Real, math.Asinh(x), quat.Asinh(quat.Number{Real: -x}).Real, math.Asinh(-x))
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
1: 0.8814 0.8814, -0.8814 -0.8814
100000: 12.2061 12.2061, -12.2061 -12.2061
1e+07: 16.8112 16.8112, -17.0102 -16.8112
1e+08: 19.1138 19.1138, -15.5369 -19.1138
1e+10: 23.7190 23.7190, -12.4766 -23.7190
OUT
echo 'as found: asinh of -1e10 is nearer to 0 than that of -1e7'
