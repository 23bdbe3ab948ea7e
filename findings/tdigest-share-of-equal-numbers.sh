#!/usr/bin/env bash
# influxdata/tdigest: of numbers of which five out of six are 0, none are 0 or less.
#
# CDF is the share of numbers up to a given one. At the smallest number it is 0, whatever part of the numbers that is: for ten times 7 it is 0 at 7, and 1
# right above. At the largest it is 1 if there is a smaller one. caio/go-tdigest says 1 for one number at itself.
# Seen in github.com/influxdata/tdigest v0.0.1.
source "$(dirname "$0")/go.bash"
need github.com/influxdata/tdigest v0.0.1
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"

	"github.com/influxdata/tdigest"
)

func main() {
	tell([]float64{0, 0, 0, 0, 0, 1}, 0, 0.001, 1)
	tell([]float64{7, 7, 7, 7, 7, 7, 7, 7, 7, 7}, 6.999, 7, 7.001)
}

func tell(list []float64, at ...float64) {
	t := tdigest.New()
	for _, x := range list {
		t.Add(x, 1)
	}
	fmt.Print(list)
	for _, x := range at {
		fmt.Printf(", up to %v: %.2f", x, t.CDF(x))
	}
	fmt.Println()
}
PROGRAM
run | tee out
diff out - <<'OUT'
[0 0 0 0 0 1], up to 0: 0.00, up to 0.001: 0.75, up to 1: 1.00
[7 7 7 7 7 7 7 7 7 7], up to 6.999: 0.00, up to 7: 0.00, up to 7.001: 1.00
OUT
echo 'as found: ten sevens, and none up to 7'
