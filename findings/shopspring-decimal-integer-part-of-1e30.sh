#!/usr/bin/env bash
# shopspring/decimal: the integer part of 1e30 is 5076944270305263616, and that of 2^63 is negative.
#
# IntPart gives 64 bits, and of what needs more the lower ones, without an error. BigInt has all of them.
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
	for _, s := range []string{"9223372036854775807.5", "9223372036854775808", "18446744073709551617", "1e30"} {
		d := decimal.RequireFromString(s)
		fmt.Println(s, d.IntPart(), d.BigInt())
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
9223372036854775807.5 9223372036854775807 9223372036854775807
9223372036854775808 -9223372036854775808 9223372036854775808
18446744073709551617 1 18446744073709551617
1e30 5076944270305263616 1000000000000000000000000000000
OUT
echo 'as found: the integer part of 1e30 is 5076944270305263616'
