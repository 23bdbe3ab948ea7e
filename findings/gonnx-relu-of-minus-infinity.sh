#!/usr/bin/env bash
# gonnx: Relu of minus infinity is not a number, and that of -1 is -0.
#
# Relu is the larger one of a number and 0. One would expect 0 for all that is below. Seen: the number times whether it is above 0, which is -inf * 0 and -1 * 0. So what is
# masked out by -inf becomes NaN, and 1 / Relu(-1) is -Inf.
# Seen in github.com/advancedclimatesystems/gonnx v1.1.0, operators of the set 13.
source "$(dirname "$0")/go.bash"
need github.com/advancedclimatesystems/gonnx v1.1.0
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"
	"math"

	"github.com/advancedclimatesystems/gonnx/onnx"
	"github.com/advancedclimatesystems/gonnx/ops/opset13"
	"gorgonia.org/tensor"
)

func main() {
	relu, err := opset13.GetOperator("Relu")
	if err != nil {
		panic(err)
	}
	if err := relu.Init(&onnx.NodeProto{}); err != nil {
		panic(err)
	}
	x := tensor.New(tensor.WithShape(4), tensor.WithBacking([]float32{2, 0, -1, float32(math.Inf(-1))}))
	y, err := relu.Apply([]tensor.Tensor{x})
	if err != nil {
		panic(err)
	}
	fmt.Println(y[0].Data())
}
PROGRAM
run | tee out
diff out - <<<'[2 0 -0 NaN]'
echo 'as found: what is below 0 is not 0'
