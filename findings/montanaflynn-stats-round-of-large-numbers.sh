#!/usr/bin/env bash
# montanaflynn/stats: 1e300, rounded to 20 decimals, is infinite.
#
# A number of that size has no decimals, and rounding leaves it as it is. It is multiplied by 10 to the power of 20 first, which is too large, and the error
# that Round can return is nil. 1e200 and 20 decimals, or 1e300 and 8, come back as they were.
# Seen in github.com/montanaflynn/stats v0.14.0.
source "$(dirname "$0")/go.bash"
need github.com/montanaflynn/stats v0.14.0
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"

	"github.com/montanaflynn/stats"
)

func main() {
	for _, x := range []float64{2.5, 1e200, 1e300} {
		for _, places := range []int{0, 8, 20} {
			y, err := stats.Round(x, places)
			fmt.Println(x, places, y, err)
		}
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
2.5 0 3 <nil>
2.5 8 2.5 <nil>
2.5 20 2.5 <nil>
1e+200 0 1e+200 <nil>
1e+200 8 1e+200 <nil>
1e+200 20 1e+200 <nil>
1e+300 0 1e+300 <nil>
1e+300 8 1e+300 <nil>
1e+300 20 +Inf <nil>
OUT
echo 'as found: a finite number is rounded to infinity'
