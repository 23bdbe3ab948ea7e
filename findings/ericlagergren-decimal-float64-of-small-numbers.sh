#!/usr/bin/env bash
# ericlagergren/decimal: 2.5e-308 as a float64 is 0, and 1e-308 is 1e-308.
#
# The digits are converted first, 25, and then divided by a power of ten, 1e309, which is infinite for a float64. Numbers with more digits are lost earlier
# than those with one. The second result, which tells whether the conversion was possible, is true. strconv reads the same numbers right.
# Seen in github.com/ericlagergren/decimal v0.0.0-20240411145413-00de7ca16731.
source "$(dirname "$0")/go.bash"
need github.com/ericlagergren/decimal v0.0.0-20240411145413-00de7ca16731
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"
	"strconv"

	"github.com/ericlagergren/decimal"
)

func main() {
	for _, digits := range []string{"1e-300", "1.25e-300", "1e-308", "2.5e-308", "2.225e-306", "2.2250738e-302", "5e-324"} {
		x, _ := new(decimal.Big).SetString(digits)
		float, ok := x.Float64()
		right, _ := strconv.ParseFloat(digits, 64)
		fmt.Println(digits, "decimal", float, ok, "strconv", right)
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
1e-300 decimal 1e-300 true strconv 1e-300
1.25e-300 decimal 1.2499999999999998e-300 true strconv 1.25e-300
1e-308 decimal 1e-308 true strconv 1e-308
2.5e-308 decimal 0 true strconv 2.5e-308
2.225e-306 decimal 0 true strconv 2.225e-306
2.2250738e-302 decimal 0 true strconv 2.2250738e-302
5e-324 decimal 0 true strconv 5e-324
OUT
echo 'as found: 2.5e-308 is 0'
