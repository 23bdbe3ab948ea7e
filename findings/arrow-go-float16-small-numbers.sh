#!/usr/bin/env bash
# Apache Arrow for Go: the smallest float16 is read as 1.1e-41 instead of 6e-8, and the numbers below 0.00006 are written as 0.
#
# A float16 with the exponent 0 is a multiple of 2^-24. Its bits are shifted to where a float32 has them, as if the exponent 0 meant the same there: what comes
# out is a multiple of 2^-136. New makes zero of everything that would have the exponent 0. So a file that another program wrote holds other numbers for this
# one, by 33 powers of ten.
# Seen in github.com/apache/arrow-go/v18 v18.8.0.
source "$(dirname "$0")/go.bash"
need github.com/apache/arrow-go/v18 v18.8.0
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow/float16"
)

func main() {
	for _, bits := range []uint16{0x0001, 0x03ff, 0x0400, 0x8001} {
		fmt.Printf("%04x %g\n", bits, float16.FromBits(bits).Float32())
	}
	for _, x := range []float32{6.103515625e-05, 6.1e-05, 5.9604645e-08} {
		fmt.Printf("%g %04x\n", x, float16.New(x).Uint16())
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
0001 1.148e-41
03ff 1.1743464e-38
0400 6.1035156e-05
8001 -1.148e-41
6.1035156e-05 0400
6.1e-05 0000
5.9604645e-08 0000
OUT
echo 'as found: small numbers are lost by 33 powers of ten'
