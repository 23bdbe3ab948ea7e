#!/usr/bin/env bash
# go-units: a bar is 98000 pascals.
#
# It is 100000, and so a millibar is a hectopascal. The number is near to that of the technical atmosphere, 98066.5, and all that is made of the bar has it:
# the air pressure of 1013.25 mbar is 99298.5 pascals here, 2 % too low. The torr and the pound per square inch are right.
# Seen in github.com/bcicen/go-units v1.0.5.
source "$(dirname "$0")/go.bash"
need github.com/bcicen/go-units v1.0.5
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"

	units "github.com/bcicen/go-units"
)

func main() {
	tell(1, units.Bar, units.Pascal)
	tell(1013.25, units.MilliBar, units.Pascal)
	tell(1, units.Bar, units.Psi)
	tell(1, units.Psi, units.Pascal)
	tell(760, units.Torr, units.Pascal)
}

func tell(x float64, from, to units.Unit) {
	v, err := units.ConvertFloat(x, from, to)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%g %s is %.2f %s\n", x, from.Name, v.Float(), to.Name)
}
PROGRAM
run | tee out
diff out - <<'OUT'
1 bar is 98000.00 pascal
1013.25 millibar is 99298.50 pascal
1 bar is 14.21 pound-force per square inch
1 pound-force per square inch is 6894.76 pascal
760 torr is 101325.00 pascal
OUT
echo 'as found: a bar is 98000 pascals'
