#!/usr/bin/env bash
# chewxy/math32: exp(89) - 1 is not a number, and neither is (-1)^(2^31).
#
# Expm1 is NaN from 88.73 on, where float32 ends, and infinite from 89.42 on. Exp is infinite from 88.38 on already, though expm1 of the same number is still
# finite. Pow of -1 looks at the exponent as an integer, and where it's too large for that gives NaN instead of 1: all numbers of that size are even.
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
	for _, x := range []float32{88, 88.5, 89, 90, 100} {
		fmt.Println(x, "expm1", math32.Expm1(x), "exp", math32.Exp(x), "math", float32(math.Expm1(float64(x))))
	}
	for _, y := range []float32{1 << 24, 1 << 30, 1 << 31, 1 << 62, 1 << 63, 1e30} {
		fmt.Println(y, "(-1)^y", math32.Pow(-1, y), "math", math.Pow(-1, float64(y)))
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
88 expm1 1.6516363e+38 exp 1.6516363e+38 math 1.6516363e+38
88.5 expm1 2.723088e+38 exp +Inf math 2.723088e+38
89 expm1 NaN exp +Inf math +Inf
90 expm1 +Inf exp +Inf math +Inf
100 expm1 +Inf exp +Inf math +Inf
1.6777216e+07 (-1)^y 1 math 1
1.0737418e+09 (-1)^y 1 math 1
2.1474836e+09 (-1)^y NaN math 1
4.611686e+18 (-1)^y NaN math 1
9.223372e+18 (-1)^y NaN math 1
1e+30 (-1)^y NaN math 1
OUT
echo 'as found: NaN where infinity and 1 are expected'
