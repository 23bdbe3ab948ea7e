#!/usr/bin/env bash
# shopspring/decimal: of the 400 and more digits of the sine of 1 the first 16 are right.
#
# The functions of angles compute a series with coefficients of 16 digits, and give all digits of its exact sum, for numbers that are decimals to be exact.
# The tangent of a number that is just below half of π is negative, where it is large.
# Seen in github.com/shopspring/decimal v1.6.0.
source "$(dirname "$0")/go.bash"
need github.com/shopspring/decimal v1.6.0
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"

	"github.com/shopspring/decimal"
)

func main() {
	s := decimal.NewFromInt(1).Sin().String()
	fmt.Println(len(s) > 400, s[:28])
	fmt.Println("by its series 0.84147098480789650665250232")
	fmt.Println(decimal.RequireFromString("1.5707963267948966").Tan().IsNegative())
}
PROGRAM
run | tee out
diff out - <<'OUT'
true 0.84147098480789654482855191
by its series 0.84147098480789650665250232
true
OUT
echo 'as found: more than 380 digits are not those of the sine'
