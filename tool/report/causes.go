package report

import (
	"cmp"
	"math"
	"slices"

	"freehold/tool/explain"
)

// Cause is why there are copies or allocations, with what has the same reason. Title and Advice are numbers of
// strings.
type Cause struct {
	Copies      int   `json:"copies"`
	Allocations int   `json:"allocations"`
	Parts       int   `json:"parts"`
	Bytes       int64 `json:"bytes"`
	// Size is the number of the text of the size, where that depends on what isn't known.
	Size   int   `json:"size,omitempty"`
	Title  int   `json:"title"`
	Advice []int `json:"advice"`
	// Places are those of the items, the largest first; Notes are about the first: pairs of a text and a place.
	Places []int    `json:"places"`
	Notes  [][2]int `json:"notes"`
}

// Trial is an advice that was followed, and what the program needs then. Advice, Flags, Peak and Effect are numbers of strings.
type Trial struct {
	Advice int `json:"advice"`
	// Flags are those of the command compile that do it, if that is how to follow it, and Limit tells that they may have a limit of the memory instead of the least.
	Flags int  `json:"flags,omitempty"`
	Limit bool `json:"limit,omitempty"`
	Place int  `json:"place"`
	// Bytes is the peak then, -1 if it isn't known, and Peak its text.
	Bytes  int64 `json:"bytes"`
	Peak   int   `json:"peak"`
	Effect int   `json:"effect"`
}

// Order tells that an order of operations was looked for that needs less, and whether there is one: Written is the number of the text of the peak in the order in
// which they are written then, if that is known.
type Order struct {
	Changed bool `json:"changed"`
	Written int  `json:"written,omitempty"`
}

// Explain adds the reasons to a view of an explained program: those of the groups, and what was tried about them.
func (p *Page) Explain(v *View, e *explain.Explanation, groups []*explain.Group) {
	of := map[*explain.Item]int{}
	for _, g := range groups {
		if !g.First().Remains() {
			continue
		}
		v.Causes = append(v.Causes, p.cause(v, g))
		for _, i := range g.Items {
			of[i] = len(v.Causes)
		}
	}
	if e.Ordered {
		v.Order = &Order{Changed: e.Reordered}
		if m := e.OtherOrder; m != nil {
			v.Order.Written = p.number(m.PeakInNames().Text(sizeText))
		}
	}
	for _, w := range e.Ways {
		if flags := p.number(w.Flags); !slices.ContainsFunc(v.Trials, func(t Trial) bool { return t.Flags == flags }) {
			v.Idle = append(v.Idle, flags)
		}
	}
	for _, flags := range e.Untried {
		v.Untried = append(v.Untried, p.number(flags))
	}
	slices.SortStableFunc(v.Trials, func(a, b Trial) int { return cmp.Compare(a.Bytes, b.Bytes) })
	for _, f := range v.Functions {
		for k, op := range f.ops {
			if op != nil {
				f.Rows[k].Cause = of[e.ItemOf(op)]
			}
		}
	}
}

// cause shows a group, and adds to the view what was tried about it.
func (p *Page) cause(v *View, g *explain.Group) Cause {
	i := g.First()
	c := Cause{Copies: g.Copies, Allocations: g.Allocations, Parts: g.Parts, Bytes: g.Bytes, Title: p.number(i.Title), Advice: []int{}, Places: []int{}, Notes: [][2]int{}}
	if g.Unknown > 0 {
		c.Size = p.number(sizeText(i.Size.Rename(func(name string) string { return p.dims.rename(i.Function, name) })))
	}
	// The first advice is what rows of buffers show: it is the one with the lowest peak.
	advice := slices.SortedStableFunc(slices.Values(i.Advice), func(a, b explain.Advice) int { return cmp.Compare(peakAfter(a), peakAfter(b)) })
	for _, a := range advice {
		text := a.Text
		switch {
		case a.Kind == "flag":
			text = "compile with " + a.Name + ": " + text
		case a.Name != "":
			text = a.Kind + " " + a.Name + ": " + text
		}
		if a.Effect == nil {
			c.Advice = append(c.Advice, p.number(text))
			continue
		}
		c.Advice = append(c.Advice, p.number(text+" ("+a.Effect.String()+")"))
		t := Trial{Advice: p.number(text), Place: p.place(i.At.Loc), Bytes: -1, Peak: p.number(a.Effect.After.PeakInNames().Text(sizeText)), Effect: p.number(a.Effect.String())}
		if peak := peakAfter(a); peak != unknownPeak {
			t.Bytes = peak
		}
		if a.Kind == "flag" {
			t.Advice, t.Flags, t.Limit, t.Place = p.number(a.Text), p.number(a.Name), a.LimitsMemory(), 0
		}
		if !slices.ContainsFunc(v.Trials, func(o Trial) bool { return o.Advice == t.Advice && o.Place == t.Place }) {
			v.Trials = append(v.Trials, t)
		}
	}
	for _, n := range i.Notes {
		c.Notes = append(c.Notes, [2]int{p.number(n.Text), p.place(n.Loc)})
	}
	for _, i := range g.Items {
		c.Places = append(c.Places, p.place(i.At.Loc))
	}
	return c
}

// unknownPeak stands for a peak that isn't known.
const unknownPeak = math.MaxInt64

// peakAfter returns the peak of a program that follows an advice, if that is known.
func peakAfter(a explain.Advice) int64 {
	if a.Effect == nil || !a.Effect.After.Peak.IsStatic() {
		return unknownPeak
	}
	return a.Effect.After.Peak.Bytes
}
