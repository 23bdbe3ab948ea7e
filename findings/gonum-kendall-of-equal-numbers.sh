#!/usr/bin/env bash
# gonum: the correlation of 1, 1 with 1, 2 by Kendall is 1, and that of 1, 1 with 2, 1 is -1.
#
# The second list has the same pairs in another order, on which the coefficient must not depend. A pair of equal numbers counts as one that ascends; by the
# definition of tau-a, which the documentation names, it counts as neither.
# Seen in gonum.org/v1/gonum v0.17.0.
source "$(dirname "$0")/go.bash"
need gonum.org/v1/gonum v0.17.0
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"

	"gonum.org/v1/gonum/stat"
)

func main() {
	for _, y := range [][]float64{{1, 2}, {2, 1}} {
		fmt.Println([]float64{1, 1}, y, stat.Kendall([]float64{1, 1}, y, nil))
	}
	for _, y := range [][]float64{{1, 2, 3}, {2, 1, 3}} {
		fmt.Println([]float64{1, 1, 2}, y, stat.Kendall([]float64{1, 1, 2}, y, nil))
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
[1 1] [1 2] 1
[1 1] [2 1] -1
[1 1 2] [1 2 3] 1
[1 1 2] [2 1 3] 0.3333333333333333
OUT
echo 'as found: the order of two pairs makes 1 or -1'
