#!/usr/bin/env bash
# gonum: that what has a chi distribution is below -1 has the probability 0.68.
#
# The distribution is one of lengths, which are not below 0: its density there is 0, as the package says, and so is the probability. The function squares its
# argument, so that it falls up to 0 and rises again, and Survival of -1 is right. LogNormal, which has no negative numbers either, says NaN, Gamma and
# Weibull 0.
# Seen in gonum.org/v1/gonum v0.17.0.
source "$(dirname "$0")/go.bash"
need gonum.org/v1/gonum v0.17.0
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

func main() {
	chi := distuv.Chi{K: 1}
	for _, x := range []float64{math.Inf(-1), -1, 0, 1} {
		fmt.Println(x, "below", chi.CDF(x), "above", chi.Survival(x), "gamma", distuv.Gamma{Alpha: 1, Beta: 1}.CDF(x), "Weibull", distuv.Weibull{K: 1, Lambda: 1}.CDF(x), "log-normal", distuv.LogNormal{Sigma: 1}.CDF(x))
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
-Inf below 1 above 1 gamma 0 Weibull 0 log-normal NaN
-1 below 0.6826894921370859 above 1 gamma 0 Weibull 0 log-normal NaN
0 below 0 above 1 gamma 0 Weibull 0 log-normal 0
1 below 0.6826894921370859 above 0.31731050786291115 gamma 0.6321205588285577 Weibull 0.6321205588285577 log-normal 0.5
OUT
echo 'as found: a length is below -1'
