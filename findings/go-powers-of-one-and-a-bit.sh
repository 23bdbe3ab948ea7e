#!/usr/bin/env bash
# Go: 1.0000001 to the power of a billion is wrong from the eighth digit on, the logarithm to the base of 2 of the float64 after 1 by 4 %, and the sine of π in its last two digits.
#
# The power is compared with that of math/big, which multiplies numbers of 300 bits, and 10 to the power of 308 with the constant 1e308. The logarithm of 1+2^-52 to the base of 2 is 2^-52 / ln 2, as Log1p has it: math.Log2
# adds the exponent, 1, to the logarithm of a half and a bit. The sine of a number so near π is what it lacks to π, which constants of Go have exactly.
# Seen in Go 1.26.8.
source "$(dirname "$0")/go.bash"
export GOTOOLCHAIN=go1.26.8
printf 'module finding\n\ngo 1.26.0\n' >go.mod
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"
	"math"
	"math/big"
)

func power(x float64, n int) float64 {
	base, p := new(big.Float).SetPrec(300).SetFloat64(x), big.NewFloat(1).SetPrec(300)
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			p.Mul(p, base)
		}
		base.Mul(base, base)
	}
	f, _ := p.Float64()
	return f
}

func main() {
	fmt.Println("pow(1.0000001, 1e9)", math.Pow(1.0000001, 1e9), "by math/big", power(1.0000001, 1e9))
	fmt.Println("pow(10, 308)", math.Pow(10, 308), "by math/big", power(10, 308))
	fmt.Println("log2(1+2^-52)", math.Log2(1+0x1p-52), "by log1p", math.Log1p(0x1p-52)/math.Ln2)
	x := math.Pi
	const rest = math.Pi - 0x1.921fb54442d18p+1
	fmt.Println("sin(π)", math.Sin(x), "π less that number", float64(rest))
}
PROGRAM
run | tee out
diff out - <<'OUT'
pow(1.0000001, 1e9) 2.688103843211962e+43 by math/big 2.6881038582144647e+43
pow(10, 308) 1.0000000000000006e+308 by math/big 1e+308
log2(1+2^-52) 3.3306690738754696e-16 by log1p 3.2034265038149176e-16
sin(π) 1.2246467991473515e-16 π less that number 1.2246467991473532e-16
OUT
echo 'as found: powers, logarithms next to 1 and sines next to π have few right digits'
