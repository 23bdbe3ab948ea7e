#!/usr/bin/env bash
# ericlagergren/decimal: the tangent of 3.14159265358979 is -0.
#
# Pi is taken off with about as many digits as the result shall have, 16, so that hardly any are left of a small difference: the sine of the same number, with
# 16 digits, has four that are right, and the tangent of 3.1416 has seven. With a precision of 50 digits the same functions give the right ones.
# Seen in github.com/ericlagergren/decimal v0.0.0-20240411145413-00de7ca16731.
source "$(dirname "$0")/go.bash"
need github.com/ericlagergren/decimal v0.0.0-20240411145413-00de7ca16731
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"

	"github.com/ericlagergren/decimal"
	"github.com/ericlagergren/decimal/math"
)

func main() {
	for _, digits := range []string{"3", "3.1416", "3.14159265358979"} {
		x, _ := new(decimal.Big).SetString(digits)
		for _, precision := range []int{16, 50} {
			sin, tan := decimal.WithPrecision(precision), decimal.WithPrecision(precision)
			fmt.Printf("%s with %d digits: sin %.12e tan %.12e\n", digits, precision, math.Sin(sin, x), math.Tan(tan, x))
		}
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
3 with 16 digits: sin 1.41120008060e-1 tan -1.42546543074e-1
3 with 50 digits: sin 1.41120008060e-1 tan -1.42546543074e-1
3.1416 with 16 digits: sin -7.34641020670e-6 tan 7.34641014374e-6
3.1416 with 50 digits: sin -7.34641020670e-6 tan 7.34641020689e-6
3.14159265358979 with 16 digits: sin 3.23823132169e-15 tan -0.00000000000e0
3.14159265358979 with 50 digits: sin 3.23846264338e-15 tan -3.23846264338e-15
OUT
echo 'as found: the tangent is -0'
