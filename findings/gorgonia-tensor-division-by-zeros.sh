#!/usr/bin/env bash
# gorgonia.org/tensor: 1, 0 and -1, each divided by 0, are +Inf three times, where the zeros are a tensor; by the scalar 0 they are +Inf, NaN and -Inf.
#
# One would expect the quotients of IEEE 754 in both, as Go's own division of floats gives. Seen: with two tensors each division by zero is +Inf, in float32 as in float64.
# A mean over nothing, 0 / 0, is infinite then, and the sign of what is divided is lost. Mod of the same gives NaN.
# Seen in gorgonia.org/tensor v0.9.24.
source "$(dirname "$0")/go.bash"
need gorgonia.org/tensor v0.9.24
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"

	"gorgonia.org/tensor"
)

func list(x ...float64) *tensor.Dense { return tensor.New(tensor.WithShape(len(x)), tensor.WithBacking(x)) }

func main() {
	byTensor, err := tensor.Div(list(1, 0, -1), list(0, 0, 0))
	if err != nil {
		panic(err)
	}
	byScalar, err := tensor.Div(list(1, 0, -1), 0.0)
	if err != nil {
		panic(err)
	}
	fmt.Println(byTensor.Data())
	fmt.Println(byScalar.Data())
}
PROGRAM
ASSUME_NO_MOVING_GC_UNSAFE_RISK_IT_WITH=$(go env GOVERSION | cut -d. -f1,2) run | tee out
diff out - <<'OUT'
[+Inf +Inf +Inf]
[+Inf NaN -Inf]
OUT
echo 'as found: -1 / 0 is +Inf'
