#!/usr/bin/env bash
# gonum: the derivative of x^2 at 1e10 by differences is 0.
#
# The step has the same size everywhere, about 1e-8 or 1e-5. From 1e9 on x and x plus the step are the same number, and the difference is 0, without an error;
# at 1e8 it may be wrong by a half. With a step that is given it is right.
# Seen in gonum.org/v1/gonum v0.17.0.
source "$(dirname "$0")/go.bash"
need gonum.org/v1/gonum v0.17.0
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"

	"gonum.org/v1/gonum/diff/fd"
)

func main() {
	square := func(x float64) float64 { return x * x }
	for _, x := range []float64{1, 1e4, 1e8, 1e10, 1e12} {
		fmt.Printf("%g: %.3g %.3g, with a step %.3g\n", x, fd.Derivative(square, x, nil), fd.Derivative(square, x, &fd.Settings{Formula: fd.Central}), fd.Derivative(square, x, &fd.Settings{Step: x / 1e6}))
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
1: 2 2, with a step 2
10000: 2e+04 2e+04, with a step 2e+04
1e+08: 1e+08 2e+08, with a step 2e+08
1e+10: 0 1.91e+10, with a step 2e+10
1e+12: 0 0, with a step 2e+12
OUT
echo 'as found: the derivative is 0'
