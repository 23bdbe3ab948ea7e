#!/usr/bin/env bash
# nfnt/resize: half of an image by its nearest neighbours has numbers that the image doesn't have.
#
# NearestNeighbor averages where the image becomes smaller: of 0, 256, 40000 and 65535 it makes 128 and 52767. It is what one takes for masks and for images of
# labels, whose numbers have no mean; x/image/draw has 256 and 65535. Where the image becomes larger, the numbers are those of the image.
# Seen in github.com/nfnt/resize v0.0.0-20180221191011-83c6a9932646 and golang.org/x/image v0.18.0.
source "$(dirname "$0")/go.bash"
need github.com/nfnt/resize v0.0.0-20180221191011-83c6a9932646 golang.org/x/image v0.18.0
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"
	"image"
	"image/color"

	"github.com/nfnt/resize"
	"golang.org/x/image/draw"
)

func main() {
	img := image.NewGray16(image.Rect(0, 0, 4, 1))
	for i, y := range []uint16{0, 256, 40000, 65535} {
		img.SetGray16(i, 0, color.Gray16{Y: y})
	}
	for _, width := range []int{2, 8} {
		other := image.NewGray16(image.Rect(0, 0, width, 1))
		draw.NearestNeighbor.Scale(other, other.Rect, img, img.Rect, draw.Src, nil)
		tell("nfnt/resize", resize.Resize(uint(width), 1, img, resize.NearestNeighbor))
		tell("x/image/draw", other)
	}
}

func tell(name string, img image.Image) {
	fmt.Print(name)
	for x := range img.Bounds().Dx() {
		r, _, _, _ := img.At(x, 0).RGBA()
		fmt.Print(" ", r)
	}
	fmt.Println()
}
PROGRAM
run | tee out
diff out - <<'OUT'
nfnt/resize 128 52767
x/image/draw 256 65535
nfnt/resize 0 0 256 256 40000 40000 65535 65535
x/image/draw 0 0 256 256 40000 40000 65535 65535
OUT
echo 'as found: the nearest neighbour of 0 and 256 is 128'
