#!/usr/bin/env bash
# vek: with acceleration NaN equals itself and is less than 1; without, it doesn't and isn't.
#
# The assembly was compiled as if there were no NaN, so that comparisons are negated ones of the opposite. Eq and Lt of NaN are true, Neq is false, and Find
# finds a NaN. The same calls without acceleration answer as Go does. Which of them runs is decided by the processor.
# Seen in github.com/viterin/vek v0.4.3, on a processor with AVX2 and FMA.
source "$(dirname "$0")/go.bash"
need github.com/viterin/vek v0.4.3
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"
	"math"

	"github.com/viterin/vek"
	"github.com/viterin/vek/vek32"
)

func main() {
	nan := float32(math.NaN())
	x, y := []float32{nan, nan, 0}, []float32{nan, 1, 1}
	for _, fast := range []bool{false, true} {
		vek32.SetAcceleration(fast)
		fmt.Println("accelerated:", vek.Info().Acceleration && fast)
		fmt.Println(vek32.Eq(x, y), vek32.Neq(x, y), vek32.Lt(x, y), vek32.Gt(x, y), vek32.Find(x, nan))
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
accelerated: false
[false false false] [true true true] [false false true] [false false false] -1
accelerated: true
[true true false] [false false true] [true true true] [false false false] 0
OUT
echo 'as found: NaN equals NaN'
