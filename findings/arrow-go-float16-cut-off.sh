#!/usr/bin/env bash
# Apache Arrow for Go: a float16 is cut off and not rounded, and a NaN can become infinity.
#
# 2049.9 is 2048 and not 2050, and 65535 the largest number and not infinity. Arithmetic goes by way of float32 and is cut off, too: 2048 + 1.9 is 2048. Of a
# NaN only the upper bits are taken: if what distinguishes it from infinity is in the lower bits, it is infinity.
# Seen in github.com/apache/arrow-go/v18 v18.8.0.
source "$(dirname "$0")/go.bash"
need github.com/apache/arrow-go/v18 v18.8.0
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow/float16"
)

func main() {
	for _, x := range []float32{2049.9, 65519, 65535, 65536, math.Float32frombits(0x7fc00000), math.Float32frombits(0x7f800001)} {
		fmt.Println(x, float16.New(x))
	}
	fmt.Println(float16.New(2048).Add(float16.New(1.9)))
}
PROGRAM
run | tee out
diff out - <<'OUT'
2049.9 2048
65519 65504
65535 65504
65536 +Inf
NaN NaN
NaN +Inf
2048
OUT
echo 'as found: 2049.9 is 2048, and a NaN infinity'
