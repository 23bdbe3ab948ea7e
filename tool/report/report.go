// Package report shows the memory of programs as a page for a browser, or as a picture: what is alive at the peak,
// what was needed before, which buffer is where and when, and why there are copies and allocations. A page is one file
// that needs nothing else.
//
// It adds no analysis: when buffers are alive is what package footprint says, where they
// would be in one arena, package plan, and why there are copies, package explain.
package report

import (
	"cmp"
	"slices"

	"freehold/ir"
	"freehold/ir/asm"
	"freehold/memory/footprint"
	"freehold/proof/check"
)

// Page is what a page shows.
type Page struct {
	Title string `json:"title"`
	// Views are programs, or stages of one, in the order in which they are shown: the last one is what the page is about, and those before are
	// what it is compared with.
	Views []*View `json:"views"`
	// Strings are the names, types and so on that others refer to by number.
	Strings []string `json:"strings"`
	// Places are places of the sources; the first stands for none.
	Places []Place `json:"places"`
	// Example is what sizes that aren't known are taken to be, until whoever reads the page says otherwise.
	Example int64 `json:"example"`

	numbers map[string]int
	places  map[sourceLine]int
	names   *asm.SourceNames
	repeats map[string]repeat
	dims    dimensions
}

// View is one program, or one stage of it.
type View struct {
	Label     string      `json:"label"`
	Functions []*Function `json:"functions"`
	// Causes say why there are copies and allocations; only of compiled programs.
	Causes []Cause `json:"causes,omitempty"`
	// Trials are what was tried and helps, the lowest peak first.
	Trials []Trial `json:"trials,omitempty"`
	// Idle are the numbers of the flags of compile for less memory that were tried, and with which the program needs no less.
	Idle []int `json:"idle,omitempty"`
	// Untried are the numbers of the flags of compile that there was no time to try.
	Untried []int `json:"untried,omitempty"`
	// Order is there if compilation looked for a better order of operations.
	Order *Order `json:"order,omitempty"`
}

// example is what sizes that aren't known are taken to be at first.
const example = 128

// New returns a page without views. source returns the text of a file, or nil if there is none,
// and may be nil.
func New(title string, source func(file string) []byte) *Page {
	p := &Page{
		Title: title, Places: []Place{{}}, Example: example, numbers: map[string]int{}, places: map[sourceLine]int{}, names: asm.NewSourceNames(source),
		repeats: map[string]repeat{}, dims: dimensions{},
	}
	p.number("")
	return p
}

// number returns the number of a string.
func (p *Page) number(s string) int {
	n, ok := p.numbers[s]
	if !ok {
		n = len(p.Strings)
		p.numbers[s] = n
		p.Strings = append(p.Strings, s)
	}
	return n
}

// Add adds a view of a module.
func (p *Page) Add(label string, module *ir.Op) *View {
	v := &View{Label: label, Functions: []*Function{}}
	arenas := footprint.Arenas(module)
	for _, f := range check.Footprint(module, 0).Functions {
		v.Functions = append(v.Functions, p.function(f, arenas))
	}
	slices.SortStableFunc(v.Functions, func(a, b *Function) int { return cmp.Compare(p.evaluate(b.peak), p.evaluate(a.peak)) })
	p.Views = append(p.Views, v)
	return v
}
