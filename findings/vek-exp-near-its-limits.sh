#!/usr/bin/env bash
# vek: with acceleration exp of -103 is -2.1e32, and exp of -89 is NaN.
#
# Both are next to nothing. The power of two that a result is multiplied with is put together from an exponent below the smallest one, which gives the bits of a
# NaN, or reaches into the sign: a large negative number. From about -104 on there is 0, and at the other end exp(88.7), which is 3.3e38, is NaN. exp of NaN is
# 0, and log of 0 NaN. A softmax of numbers that lie 89 or 103 apart comes out wrong.
# Seen in github.com/viterin/vek v0.4.3, on a processor with AVX2 and FMA.
source "$(dirname "$0")/go.bash"
need github.com/viterin/vek v0.4.3
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"
	"math"

	"github.com/viterin/vek/vek32"
)

func main() {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, fast := range []bool{false, true} {
		vek32.SetAcceleration(fast)
		fmt.Println("exp", vek32.Exp([]float32{-87, -89, -103, -104, 88, 88.7, nan, inf}))
		fmt.Println("log", vek32.Log([]float32{1, 0, 1e-40, inf, 2, 4, 8, 16}))
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
exp [1.645798e-38 0 0 0 1.6516363e+38 +Inf NaN +Inf]
log [0 -Inf -88.02122 +Inf 0.6931472 1.3862944 2.0794415 2.7725887]
exp [1.6458115e-38 NaN -2.1446046e+32 0 1.6516363e+38 NaN 0 3.4028235e+38]
log [0 NaN -87.33655 88.72284 0.6931472 1.3862944 2.0794415 2.7725887]
OUT
echo 'as found: exp of -103 is a large negative number, and exp of -89 is none'
