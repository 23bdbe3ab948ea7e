#!/usr/bin/env bash
# bild: an image whose contrast is changed by 0 is darker: 50 becomes 49.
#
# A change of 0.0 is said to give the original image. The numbers go by way of fractions, and are cut off: 20 of the 256 levels of gray lose one. Brightness and
# Saturation by 0 leave all 256 as they are.
# Seen in github.com/anthonynsimon/bild v0.14.0.
source "$(dirname "$0")/go.bash"
need github.com/anthonynsimon/bild v0.14.0
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"
	"image"
	"image/color"

	"github.com/anthonynsimon/bild/adjust"
)

func main() {
	img := image.NewRGBA(image.Rect(0, 0, 256, 1))
	for i := range 256 {
		y := uint8(i)
		img.SetRGBA(i, 0, color.RGBA{R: y, G: y, B: y, A: 255})
	}
	for name, f := range []func(image.Image, float64) *image.RGBA{adjust.Contrast, adjust.Brightness, adjust.Saturation} {
		changed := 0
		result := f(img, 0)
		for i := range 256 {
			if result.RGBAAt(i, 0).R != uint8(i) {
				changed++
			}
		}
		fmt.Println([]string{"contrast", "brightness", "saturation"}[name], changed, "of 256 changed; 50 is", result.RGBAAt(50, 0).R)
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
contrast 20 of 256 changed; 50 is 49
brightness 0 of 256 changed; 50 is 50
saturation 0 of 256 changed; 50 is 50
OUT
echo 'as found: no change changes'
