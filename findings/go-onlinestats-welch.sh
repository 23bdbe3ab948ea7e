#!/usr/bin/env bash
# go-onlinestats: the probability that two samples differ by chance is 0.5 where they are the same, and almost 1 where they are ten deviations apart.
#
# Welch is described as returning "the probability that the difference in means is due to chance", which is 1 for equal means and falls with the distance. What
# it returns is the distribution function of the statistic: of 1-4 and 11-14 it is 0.99998 one way around and 0.00002 the other.
# Seen in github.com/dgryski/go-onlinestats v0.0.0-20170612111826-1c7d19468768.
source "$(dirname "$0")/go.bash"
need github.com/dgryski/go-onlinestats v0.0.0-20170612111826-1c7d19468768
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"

	onlinestats "github.com/dgryski/go-onlinestats"
)

func sample(from float64) *onlinestats.Running {
	r := onlinestats.NewRunning()
	for i := range 4 {
		r.Push(from + float64(i))
	}
	return r
}

func main() {
	for _, pair := range [][2]float64{{1, 1}, {1, 2}, {1, 11}, {11, 1}} {
		fmt.Printf("%v %.5f\n", pair, onlinestats.Welch(sample(pair[0]), sample(pair[1])))
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
[1 1] 0.50000
[1 2] 0.84233
[1 11] 0.99998
[11 1] 0.00002
OUT
echo 'as found: the farther apart, the more it is due to chance'
