#!/usr/bin/env bash
# gonum: right of its last point a spline is constant, and its derivative there is 6.
#
# Predict gives the value of the last point for whatever lies beyond, and PredictDerivative the derivative at the last point, as if the curve went on as a
# line. A search for the place of a value beyond by the derivative goes nowhere.
# Seen in gonum.org/v1/gonum v0.17.0.
source "$(dirname "$0")/go.bash"
need gonum.org/v1/gonum v0.17.0
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"

	"gonum.org/v1/gonum/interp"
)

type curve interface {
	interp.FittablePredictor
	interp.DerivativePredictor
}

func main() {
	for _, f := range []curve{&interp.AkimaSpline{}, &interp.FritschButland{}} {
		if err := f.Fit([]float64{0, 1, 2, 3}, []float64{0, 1, 4, 9}); err != nil {
			panic(err)
		}
		for _, x := range []float64{3, 4, 5} {
			fmt.Printf("%T at %g: %g, derivative %g\n", f, x, f.Predict(x), f.PredictDerivative(x))
		}
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
*interp.AkimaSpline at 3: 9, derivative 6
*interp.AkimaSpline at 4: 9, derivative 6
*interp.AkimaSpline at 5: 9, derivative 6
*interp.FritschButland at 3: 9, derivative 6
*interp.FritschButland at 4: 9, derivative 6
*interp.FritschButland at 5: 9, derivative 6
OUT
echo 'as found: a constant has the derivative 6'
