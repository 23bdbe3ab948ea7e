#!/usr/bin/env bash
# bild: of a transparent pixel, the inverse is a white one without opacity, which is no color in Go.
#
# image.RGBA holds colors that are multiplied by their opacity, so that none of the three can be more than the fourth. Invert subtracts them from 255: a pixel
# that isn't there is 255, 255, 255, 0, and half a red becomes 127, 255, 255, 128. What converts it on overflows, or shows light seams around what was cut out.
# Seen in github.com/anthonynsimon/bild v0.14.0.
source "$(dirname "$0")/go.bash"
need github.com/anthonynsimon/bild v0.14.0
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"
	"image"
	"image/color"

	"github.com/anthonynsimon/bild/effect"
)

func main() {
	img := image.NewRGBA(image.Rect(0, 0, 3, 1))
	img.Set(0, 0, color.NRGBA{R: 255, A: 255})
	img.Set(1, 0, color.NRGBA{R: 255, A: 128})
	inverse := effect.Invert(img)
	for x := range 3 {
		c := inverse.RGBAAt(x, 0)
		fmt.Println(img.RGBAAt(x, 0), "->", c, "valid:", c.R <= c.A && c.G <= c.A && c.B <= c.A, "without the opacity:", color.NRGBAModel.Convert(c))
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
{255 0 0 255} -> {0 255 255 255} valid: true without the opacity: {0 255 255 255}
{128 0 0 128} -> {127 255 255 128} valid: false without the opacity: {253 253 253 128}
{0 0 0 0} -> {255 255 255 0} valid: false without the opacity: {0 0 0 0}
OUT
echo 'as found: nothing becomes a bright nothing'
