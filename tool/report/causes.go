package report

import (
	"cmp"
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

// Trial is an advice that was followed, and what the program needs then. Advice, Peak and Effect are numbers of strings.
type Trial struct {
	Advice int `json:"advice"`
	Place  int `json:"place"`
	// Bytes is the peak then, -1 if it isn't known, and Peak its text.
	Bytes  int64 `json:"bytes"`
	Peak   int   `json:"peak"`
	Effect int   `json:"effect"`
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
		c.Size = p.number(i.Size.String())
	}
	for _, a := range i.Advice {
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
		t := Trial{Advice: p.number(text), Place: p.place(i.At.Loc), Bytes: -1, Peak: p.number(a.Effect.After.Peak.String()), Effect: p.number(a.Effect.String())}
		if a.Effect.After.Peak.IsStatic() {
			t.Bytes = a.Effect.After.Peak.Bytes
		}
		if a.Kind == "flag" {
			t.Place = 0
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
