#!/usr/bin/env bash
# gorgonia.org/tensor: a slice with a step loses its last element where the step doesn't divide the range.
#
# Elements 0, 2 and 4 of five are S(0, 5, 2), as in every language with such slices. The library divides 5 by 2 and gives a tensor of
# two elements, without an error; so their sum is 4 instead of 9. With six elements, where nothing is left over, all is right.
# Seen in gorgonia.org/tensor v0.9.24.
source "$(dirname "$0")/go.bash"
need gorgonia.org/tensor v0.9.24
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"

	"gorgonia.org/tensor"
)

func main() {
	for _, n := range []int{6, 5} {
		all := []float32{1, 2, 3, 4, 5, 6}[:n]
		view, err := tensor.New(tensor.WithShape(n), tensor.WithBacking(all)).Slice(tensor.S(0, n, 2))
		if err != nil {
			panic(err)
		}
		sum, err := tensor.Sum(view)
		if err != nil {
			panic(err)
		}
		fmt.Println(n, view.Shape(), sum)
	}
}
PROGRAM
ASSUME_NO_MOVING_GC_UNSAFE_RISK_IT_WITH=$(go env GOVERSION | cut -d. -f1,2) run | tee out
diff out - <<'OUT'
6 (3) 9
5 (2) 4
OUT
echo 'as found: every second element of five is two elements'
