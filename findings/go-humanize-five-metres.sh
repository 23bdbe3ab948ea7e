#!/usr/bin/env bash
# go-humanize: 5 metres are written as "5 m", which is read as 0.005.
#
# SI and ParseSI are inverses of each other, where there is a prefix: 5000 m is "5 km", and that is read as 5000 of "m". Without one the unit m is taken for
# the prefix milli, and there is no unit. Pascals become peta, and grams are right.
# Seen in github.com/dustin/go-humanize v1.1.0.
source "$(dirname "$0")/go.bash"
need github.com/dustin/go-humanize v1.1.0
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"

	"github.com/dustin/go-humanize"
)

func main() {
	for _, unit := range []string{"m", "Pa", "g", "T"} {
		for _, x := range []float64{5, 5000} {
			s := humanize.SI(x, unit)
			y, u, err := humanize.ParseSI(s)
			fmt.Printf("%g %s: %q is read as %g %q %v\n", x, unit, s, y, u, err)
		}
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
5 m: "5 m" is read as 0.005 "" <nil>
5000 m: "5 km" is read as 5000 "m" <nil>
5 Pa: "5 Pa" is read as 5e+15 "a" <nil>
5000 Pa: "5 kPa" is read as 5000 "Pa" <nil>
5 g: "5 g" is read as 5 "g" <nil>
5000 g: "5 kg" is read as 5000 "g" <nil>
5 T: "5 T" is read as 5e+12 "" <nil>
5000 T: "5 kT" is read as 5000 "T" <nil>
OUT
echo 'as found: 5 metres are 0.005'
