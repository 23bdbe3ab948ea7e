#!/usr/bin/env bash
# go-moremath: a histogram from 0 to 10 counts -1 as if it was in the first bin.
#
# There is a count for what lies below. With five bins of width 2, -1 is half a bin below, which is cut off to 0 instead of being rounded down to -1; from -2
# on it is counted below. A number above the range is always counted above.
# Seen in github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794.
source "$(dirname "$0")/go.bash"
need github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"

	"github.com/aclements/go-moremath/stats"
)

func main() {
	for _, x := range []float64{-3, -2, -1.9, -1, 0, 10, 11} {
		h := stats.NewLinearHist(0, 10, 5)
		h.Add(x)
		below, counts, above := h.Counts()
		fmt.Println(x, "below", below, "counts", counts, "above", above)
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
-3 below 1 counts [0 0 0 0 0] above 0
-2 below 1 counts [0 0 0 0 0] above 0
-1.9 below 0 counts [1 0 0 0 0] above 0
-1 below 0 counts [1 0 0 0 0] above 0
0 below 0 counts [1 0 0 0 0] above 0
10 below 0 counts [0 0 0 0 0] above 1
11 below 0 counts [0 0 0 0 0] above 1
OUT
echo 'as found: -1 is between 0 and 2'
