#!/usr/bin/env bash
# gorgonia.org/tensor: the softmax of a row of -1000 is 0.5, 0.5 by itself, and NaN below a row of 1000.
#
# The largest number is subtracted before exponentials are taken, so that they don't overflow. One would expect that of each row, as the result of a row doesn't depend on
# the others. Seen: it is the largest of the whole tensor, so that all of a row that lies some 700 below another one is 0, and the quotient NaN; its LogSoftMax, the
# logarithm of a probability, is +Inf.
# Seen in gorgonia.org/tensor v0.9.24.
source "$(dirname "$0")/go.bash"
need gorgonia.org/tensor v0.9.24
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"

	"gorgonia.org/tensor"
)

func show(x tensor.Tensor, err error) {
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.4v\n", x.Data())
}

func main() {
	row := tensor.New(tensor.WithShape(1, 2), tensor.WithBacking([]float64{-1000, -1000}))
	rows := tensor.New(tensor.WithShape(2, 2), tensor.WithBacking([]float64{1000, 1000, -1000, -1000}))
	show(tensor.SoftMax(row, 1))
	show(tensor.SoftMax(rows, 1))
	show(tensor.LogSoftMax(rows, 1))
}
PROGRAM
ASSUME_NO_MOVING_GC_UNSAFE_RISK_IT_WITH=$(go env GOVERSION | cut -d. -f1,2) run | tee out
diff out - <<'OUT'
[0.5 0.5]
[0.5 0.5 NaN NaN]
[-0.6931 -0.6931 +Inf +Inf]
OUT
echo 'as found: a row depends on another'
