#!/usr/bin/env bash
# gonum: what is interpolated at NaN is the value of the first point.
#
# All interpolators do so, whatever is asked for a NaN is answered by a number that looks like a measured one.
# Seen in gonum.org/v1/gonum v0.17.0.
source "$(dirname "$0")/go.bash"
need gonum.org/v1/gonum v0.17.0
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/interp"
)

func main() {
	for _, f := range []interp.FittablePredictor{&interp.PiecewiseConstant{}, &interp.PiecewiseLinear{}, &interp.AkimaSpline{}, &interp.FritschButland{}, &interp.NaturalCubic{}} {
		if err := f.Fit([]float64{0, 1, 2, 3}, []float64{5, 6, 9, 14}); err != nil {
			panic(err)
		}
		fmt.Printf("%T at 0: %g, at 1.5: %.4g, at NaN: %g\n", f, f.Predict(0), f.Predict(1.5), f.Predict(math.NaN()))
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
*interp.PiecewiseConstant at 0: 5, at 1.5: 9, at NaN: 5
*interp.PiecewiseLinear at 0: 5, at 1.5: 7.5, at NaN: 5
*interp.AkimaSpline at 0: 5, at 1.5: 7.25, at NaN: 5
*interp.FritschButland at 0: 5, at 1.5: 7.219, at NaN: 5
*interp.NaturalCubic at 0: 5, at 1.5: 7.2, at NaN: 5
OUT
echo 'as found: at NaN there is a number'
