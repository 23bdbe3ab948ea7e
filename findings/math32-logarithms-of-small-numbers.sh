#!/usr/bin/env bash
# chewxy/math32: the logarithms of 1e-40 and 1e-44 are both about -88.
#
# They are -92.1 and -101.3. Below 1.18e-38 float32 has fewer digits and a fixed exponent, and the assembly for amd64 takes the exponent that stands in the
# bits. Log2 and Log10 of the same numbers are right, so that log2(x) * ln(2) is not ln(x). Without assembly (the tag noasm) Log is right, too.
# Seen in github.com/chewxy/math32 v1.11.1 on amd64.
source "$(dirname "$0")/go.bash"
need github.com/chewxy/math32 v1.11.1
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"
	"math"

	"github.com/chewxy/math32"
)

func main() {
	for _, x := range []float32{1e-30, 1e-37, 1e-38, 1e-40, 1e-44} {
		fmt.Printf("%g: math32 %.3f, by its log2 %.3f, math %.3f\n", x, math32.Log(x), math32.Log2(x)*math32.Ln2, math.Log(float64(x)))
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
1e-30: math32 -69.078, by its log2 -69.078, math -69.078
1e-37: math32 -85.196, by its log2 -85.196, math -85.196
1e-38: math32 -87.414, by its log2 -87.498, math -87.498
1e-40: math32 -88.021, by its log2 -92.103, math -92.103
1e-44: math32 -88.030, by its log2 -101.333, math -101.333
OUT
echo 'as found: two numbers far apart, one logarithm'
