#!/usr/bin/env bash
# go-dsp: the convolution of 1, 2 and 3, 4 is 11, 10.
#
# It is 3, 10, 8. What is returned is the cyclic one, in which the 8 is added to the 3; the documentation says "the convolution of x and y". Slices of two
# lengths are refused, so that a signal and a short filter have to be filled up by the caller, who has no word of how far.
# Seen in github.com/mjibson/go-dsp v0.0.0-20180508042940-11479a337f12.
source "$(dirname "$0")/go.bash"
need github.com/mjibson/go-dsp v0.0.0-20180508042940-11479a337f12
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"

	"github.com/mjibson/go-dsp/fft"
)

func main() {
	for _, pair := range [][2][]complex128{{{1, 2}, {3, 4}}, {{1, 2, 0, 0}, {3, 4, 0, 0}}} {
		for _, x := range fft.Convolve(pair[0], pair[1]) {
			fmt.Printf("%.0f ", real(x))
		}
		fmt.Println()
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
11 10 
3 10 8 0 
OUT
echo 'as found: the convolution is cyclic'
