package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"freehold/memory/footprint"
)

// Answer says in a few words how much the program needs at most, where, for what, and how that was before. It is about the last view's
// function with the largest peak.
func (p *Page) Answer() string {
	v, f := p.main()
	if f == nil {
		return "No function has a body: there is nothing to show."
	}
	if len(f.Rows) == 0 {
		text := "@" + f.Name + " allocates nothing: no buffer and no tensor of its own is ever alive."
		if before := p.before(f.Name); before != nil {
			text += " " + upperFirst(p.Views[len(p.Views)-2].Label) + ": " + footprint.Bytes(p.value(before.highest(p).Size)) + "."
		}
		return text
	}
	peak := f.highest(p)
	// Where it depends on sizes which peak is the largest, all are named, the one that is drawn first.
	text, sizes := "Peak "+f.amount(peak.Size), []Bytes{peak.Size}
	for _, x := range f.Peaks {
		if x.Step != peak.Step {
			text += " or " + f.amount(x.Size)
			sizes = append(sizes, x.Size)
		}
	}
	if unknown := f.unknown(sizes); unknown != "" {
		text += fmt.Sprintf(", which is %s if %s is %d,", footprint.Bytes(p.value(peak.Size)), unknown, p.Example)
	}
	if place := p.Places[f.Steps[peak.Step][1]]; place.Line > 0 {
		text += " at " + place.String()
	}
	if alive := p.alive(f, peak.Step); len(alive) > 0 {
		share := 100 * float64(p.value(alive[0].Size)) / max(1, float64(p.value(peak.Size)))
		text += fmt.Sprintf(": %.0f %% is %s", min(share, 100), p.describe(alive[0], peak.Step))
	}
	text += "."
	if before := p.before(f.Name); before != nil {
		text += " " + p.compared(p.Views[len(p.Views)-2].Label, v.Label, p.value(before.highest(p).Size), p.value(peak.Size))
	}
	return text
}

// amount is a size with how many bytes that is.
func (f *Function) amount(b Bytes) string {
	if len(b.Terms) > 0 {
		return b.text
	}
	return footprint.Bytes(b.Known)
}

// unknown lists what sizes depend on: "%n", or "each of %n, %m"; "" if that is nothing.
func (f *Function) unknown(sizes []Bytes) string {
	var names []string
	for _, b := range sizes {
		for _, t := range b.Terms {
			for _, s := range t[1:] {
				if !slices.Contains(names, f.Symbols[s]) {
					names = append(names, f.Symbols[s])
				}
			}
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0]
	}
	return "each of " + strings.Join(names, ", ")
}

// main returns the view that the page is about, and its function with the largest peak; nil if there is none.
func (p *Page) main() (*View, *Function) {
	for _, v := range slices.Backward(p.Views) {
		if len(v.Functions) > 0 {
			return v, v.Functions[0]
		}
	}
	return nil, nil
}

// before returns a function as it is in the view before the last; nil if there is none.
func (p *Page) before(name string) *Function {
	if len(p.Views) < 2 {
		return nil
	}
	for _, f := range p.Views[len(p.Views)-2].Functions {
		if f.Name == name && len(f.Steps) > 0 {
			return f
		}
	}
	return nil
}

// highest returns the peak that is the largest if what isn't known is the example; a zero one if there is none.
func (f *Function) highest(p *Page) (best Peak) {
	for i, x := range f.Peaks {
		if i == 0 || p.value(x.Size) > p.value(best.Size) {
			best = x
		}
	}
	return best
}

// value returns how large something is if all that isn't known is the example.
func (p *Page) value(b Bytes) int64 {
	sum := float64(b.Known)
	for _, t := range b.Terms {
		x := float64(t[0])
		for range t[1:] {
			x *= float64(p.Example)
		}
		sum += x
	}
	return int64(min(sum, 1<<62))
}

// alive returns what is alive at a step, the largest first; of an arena, its parts.
func (p *Page) alive(f *Function, step int) (out []Row) {
	unfolded := map[int]bool{}
	for _, r := range f.Rows {
		unfolded[r.Arena] = true
	}
	for i, r := range f.Rows {
		if !unfolded[i+1] && p.value(r.Size) > 0 && slices.ContainsFunc(r.Spans, func(s [2]int) bool { return s[0] <= step && step < s[1] }) {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b Row) int { return int(min(max(p.value(b.Size)-p.value(a.Size), -1), 1)) })
	return out
}

// describe says what a row is at a step: the name of what is in it, and what makes that.
func (p *Page) describe(r Row, step int) string {
	name, op, _ := p.at(r, step)
	switch {
	case r.Kind == "call" || name == "":
		return op
	case strings.HasPrefix(name, "copy"):
		return "a " + name
	}
	if r.Filled && op == p.Strings[r.Op] {
		return name + ", written by " + op
	}
	return name + ", the result of " + op
}

// at returns the name of what is in a row's buffer at a step, the operation that makes it, and the number of its place.
func (p *Page) at(r Row, step int) (name, op string, place int) {
	name, op, place = p.Strings[r.Name], p.Strings[r.Op], r.Place
	for _, h := range r.Holds {
		if h[0] <= step && p.nameAt(h[1]) != "" {
			name, op, place = p.nameAt(h[1]), p.written(nil, h[1]), h[1]
		}
	}
	return name, op, place
}

// compared says how much there was before.
func (p *Page) compared(label, now string, before, after int64) string {
	amount := footprint.Bytes(before)
	switch {
	case before == after:
		return upperFirst(label) + ": " + amount + ", the same."
	case before < after:
		return fmt.Sprintf("%s: %s, %s less.", upperFirst(label), amount, percent(after-before, after))
	case after > 0 && before/after >= 2:
		return fmt.Sprintf("%s: %s, %s times as much.", upperFirst(label), amount, times(before, after))
	}
	return fmt.Sprintf("%s: %s, %s more.", upperFirst(label), amount, percent(before-after, after))
}

// times says how many times as much as a part the whole is, with one digit after the point where that matters.
func times(whole, part int64) string {
	x := float64(whole) / float64(part)
	if x < 9.95 {
		return strconv.FormatFloat(math.Floor(10*x+.5)/10, 'f', -1, 64)
	}
	return grouped(int64(math.Floor(x + .5)))
}

func percent(part, whole int64) string {
	if whole == 0 {
		return footprint.Bytes(part)
	}
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(whole))
}

// grouped is a number with commas between thousands.
func grouped(n int64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return grouped(n/1000) + fmt.Sprintf(",%03d", n%1000)
}

// upperFirst is a text that begins a sentence; file names stay as they are.
func upperFirst(s string) string {
	if s == "" || strings.Contains(s, ".") {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
