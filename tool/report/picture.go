package report

import (
	"fmt"
	"html"
	"io"
	"strings"

	"freehold/internal/textwrap"
	"freehold/memory/footprint"
)

// The measures of the picture, in pixels.
const (
	pictureWidth  = 820
	pictureMargin = 16
	curveHeight   = 90
	mostBars      = 6
)

// WritePicture writes what the page says first as a picture in SVG, for where there is no room for a page, such as the comment on a change: the
// answer, the peaks and what is alive over time on one scale, and what is alive at the last one's peak.
func (p *Page) WritePicture(w io.Writer) error {
	d := &drawing{page: p, y: pictureMargin}
	d.answer()
	if v, f := p.main(); f != nil && len(f.Rows) > 0 {
		d.compare(f.Name)
		d.slice(v, f)
	}
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" viewBox="0 0 %[1]d %[2]d" role="img" aria-label="%[3]s">
<style>
text { font: 13px system-ui, sans-serif; fill: #1b1f23 } .big { font-size: 16px; font-weight: 600 } .soft { fill: #56606a }
.back { fill: #ffffff } .panel { fill: #f0f3f6 } .bar { fill: #7fa9cf } .last { fill: #2f6da8 }
@media (prefers-color-scheme: dark) { text { fill: #e6e9ec } .soft { fill: #a3adb7 } .back { fill: #14171a } .panel { fill: #23292f } .bar { fill: #3b6a94 } .last { fill: #6aa7dd } }
</style>
<rect class="back" width="100%%" height="100%%"/>
%[4]s</svg>
`, pictureWidth, d.y+pictureMargin, html.EscapeString(p.Answer()), d.body.String())
	return err
}

// drawing is a picture from above down to y.
type drawing struct {
	page *Page
	body strings.Builder
	y    int
}

func (d *drawing) text(x, y int, class, text string) {
	fmt.Fprintf(&d.body, "<text x=\"%d\" y=\"%d\" class=\"%s\">%s</text>\n", x, y, class, html.EscapeString(text))
}

func (d *drawing) rect(x, y, width, height float64, class string) {
	fmt.Fprintf(&d.body, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"/>\n", x, y, width, height, class)
}

// answer writes what the page says first.
func (d *drawing) answer() {
	d.y += 4
	d.text(pictureMargin, d.y+10, "soft", d.page.Title)
	d.y += 20
	for _, line := range textwrap.Lines(d.page.Answer(), 88) {
		d.y += 22
		d.text(pictureMargin, d.y-6, "big", line)
	}
	d.y += 10
}

// compare draws the peaks of the views, and then what is alive in each over time, all on one scale.
func (d *drawing) compare(name string) {
	var all []*Function
	var labels []string
	most := int64(1)
	for _, v := range d.page.Views {
		for _, f := range v.Functions {
			if f.Name == name {
				all, labels = append(all, f), append(labels, v.Label)
				most = max(most, d.page.value(f.highest(d.page).Size))
			}
		}
	}
	class := func(i int) string {
		if i == len(all)-1 {
			return "last"
		}
		return "bar"
	}
	const left, right = 160, 110
	track := float64(pictureWidth - left - right - pictureMargin)
	for i, f := range all {
		size := d.page.value(f.highest(d.page).Size)
		d.text(pictureMargin, d.y+14, "", shortened(labels[i], 20))
		d.rect(left, float64(d.y+2), track, 16, "panel")
		d.rect(left, float64(d.y+2), max(1, track*float64(size)/float64(most)), 16, class(i))
		d.text(pictureWidth-right, d.y+14, "", footprint.Bytes(size))
		d.y += 24
	}
	d.y += 22
	width := float64(pictureWidth-2*pictureMargin-20*(len(all)-1)) / float64(len(all))
	for i, f := range all {
		x := pictureMargin + float64(i)*(width+20)
		d.text(int(x), d.y-5, "soft", shortened("alive, "+labels[i]+", up to "+footprint.Bytes(most), int(width/7)))
		d.rect(x, float64(d.y), width, curveHeight, "panel")
		d.curve(f, x, width, most, class(i))
	}
	d.y += curveHeight + 8
}

// curve draws what is alive in a function; of the steps in a column of pixels, the highest.
func (d *drawing) curve(f *Function, x, width float64, most int64, class string) {
	heights := make([]int64, int(width))
	for i, alive := range d.page.curve(f) {
		from, to := i*len(heights)/len(f.Steps), (i+1)*len(heights)/len(f.Steps)
		for k := from; k < max(to, from+1) && k < len(heights); k++ {
			heights[k] = max(heights[k], alive)
		}
	}
	fmt.Fprintf(&d.body, "<path class=\"%s\" d=\"M%.0f %d", class, x, d.y+curveHeight)
	last := -1.0
	for k, h := range heights {
		y := float64(d.y) + curveHeight*(1-min(1, float64(h)/float64(most)))
		if y != last {
			fmt.Fprintf(&d.body, "H%.0fV%.1f", x+float64(k), y)
		}
		last = y
	}
	fmt.Fprintf(&d.body, "H%.0fV%dZ\"/>\n", x+width, d.y+curveHeight)
}

// slice draws what is alive at the peak, the largest first.
func (d *drawing) slice(v *View, f *Function) {
	peak := f.highest(d.page)
	alive := d.page.alive(f, peak.Step)
	d.y += 24
	d.text(pictureMargin, d.y-6, "", "Alive at the peak, "+v.Label)
	whole := max(1, d.page.value(peak.Size))
	for i, r := range alive {
		if i == mostBars {
			d.text(pictureMargin, d.y+14, "soft", fmt.Sprintf("and %d more", len(alive)-i))
			d.y += 22
			break
		}
		size := d.page.value(r.Size)
		line := ""
		if _, _, place := d.page.at(r, peak.Step); place > 0 {
			line = ", " + d.page.Places[place].String()
		}
		d.rect(pictureMargin, float64(d.y+3), max(1, 200*min(1, float64(size)/float64(whole))), 14, "last")
		d.text(pictureMargin+210, d.y+14, "", footprint.Bytes(size))
		d.text(pictureMargin+300, d.y+14, "", shortened(d.page.describe(r, peak.Step)+line, 66))
		d.y += 22
	}
}

// curve returns how much is alive at each step.
func (p *Page) curve(f *Function) []int64 {
	changes := make([]int64, len(f.Steps)+1)
	for _, r := range f.Rows {
		if r.Arena == 0 {
			size := p.value(r.Size)
			for _, s := range r.Spans {
				changes[s[0]] += size
				changes[s[1]] -= size
			}
		}
	}
	for i := 1; i < len(changes); i++ {
		changes[i] += changes[i-1]
	}
	return changes[:len(f.Steps)]
}

// shortened is a text of at most so many letters.
func shortened(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:max(most-1, 0)]) + "…"
	}
	return s
}
