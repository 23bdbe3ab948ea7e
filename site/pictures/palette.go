package main

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"slices"
)

// similar is how many bits of a channel may differ between colours that are similar; a colour of more than one pixel in so many is that of an area,
// and stays beside similar ones, as a light grey beside white.
const similar, area = 4, 2000

// smaller writes a picture with at most 256 colours, each pixel in the closest one. Pages have few colours, and many shades of them at the
// edges of letters: of colours that are similar, the most frequent one stays, so that none is lost that only few letters have.
func smaller(data []byte) ([]byte, error) {
	src, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	bounds := src.Bounds()
	times := map[color.RGBA]int{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			times[color.RGBAModel.Convert(src.At(x, y)).(color.RGBA)]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(times), func(a, b color.RGBA) int {
		return cmp.Or(times[b]-times[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	var palette color.Palette
	seen := map[[3]uint8]bool{}
	for _, c := range colours {
		group := [3]uint8{c.R >> similar, c.G >> similar, c.B >> similar}
		if large := times[c] > bounds.Dx()*bounds.Dy()/area; (large || !seen[group]) && len(palette) < 256 {
			palette = append(palette, c)
		}
		seen[group] = true
	}
	out := image.NewPaletted(bounds, palette)
	draw.Draw(out, bounds, src, bounds.Min, draw.Src)
	var b bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, out)
	return b.Bytes(), err
}
