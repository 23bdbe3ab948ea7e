#!/usr/bin/env bash
# gonum: whether 0 times infinity is NaN in a product of matrices depends on which of them is transposed.
#
# A row of 0 and 1 times a column of infinity and 1 is NaN by IEEE 754, and so it is with Dot, with MulVec, and as the product of the transposed ones. Mul of
# the two as dense matrices passes over zeros in the left one, whatever they would be multiplied with, and gives 1. A NaN in the right one is lost in the same
# way.
# Seen in gonum.org/v1/gonum v0.17.0.
source "$(dirname "$0")/go.bash"
need gonum.org/v1/gonum v0.17.0
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

func main() {
	for _, x := range []float64{math.Inf(1), math.NaN()} {
		row := mat.NewDense(1, 2, []float64{0, 1})
		column := mat.NewDense(2, 1, []float64{x, 1})
		var product, transposed mat.Dense
		product.Mul(row, column)
		transposed.Mul(column.T(), row.T())
		var vector mat.VecDense
		vector.MulVec(row, column.ColView(0))
		fmt.Println(x, "Mul", product.At(0, 0), "of transposed ones", transposed.At(0, 0), "MulVec", vector.AtVec(0), "Dot", mat.Dot(row.RowView(0), column.ColView(0)))
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
+Inf Mul 1 of transposed ones NaN MulVec NaN Dot NaN
NaN Mul 1 of transposed ones NaN MulVec NaN Dot NaN
OUT
echo 'as found: the same product is 1 and NaN'
