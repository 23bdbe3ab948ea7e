#!/usr/bin/env bash
# go-colorful: with a hue of 360 HSV gives black, and HSL red.
#
# Hues are documented as those from 0 to 360, and 360 is 0, which is red. Hsv takes six ranges below 360, and what lies beyond them, as -120 and 480, too, has
# no colour. Hsl, of the same package, takes all of them as angles.
# Seen in github.com/lucasb-eyer/go-colorful v1.4.1.
source "$(dirname "$0")/go.bash"
need github.com/lucasb-eyer/go-colorful v1.4.1
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"

	"github.com/lucasb-eyer/go-colorful"
)

func main() {
	for _, hue := range []float64{0, 240, 359.9, 360, -120, 480} {
		fmt.Println(hue, colorful.Hsv(hue, 1, 1).Hex(), colorful.Hsl(hue, 1, 0.5).Hex())
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
0 #ff0000 #ff0000
240 #0000ff #0000ff
359.9 #ff0000 #ff0000
360 #000000 #ff0000
-120 #000000 #0000ff
480 #000000 #00ff00
OUT
echo 'as found: the brightest colour with the hue 360 is black'
