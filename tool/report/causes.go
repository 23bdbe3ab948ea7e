package report

import (
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

// Explain adds the reasons to a view.
func (p *Page) Explain(v *View, e *explain.Explanation) {
	of := map[*explain.Item]int{}
	for _, g := range explain.Groups(e.Items) {
		i := g.First()
		if !i.Remains() {
			continue
		}
		c := Cause{Copies: g.Copies, Allocations: g.Allocations, Parts: g.Parts, Bytes: g.Bytes, Title: p.number(i.Title), Advice: []int{}, Places: []int{}, Notes: [][2]int{}}
		if g.Unknown > 0 {
			c.Size = p.number(i.Size.String())
		}
		for _, a := range i.Advice {
			text := a.Text
			if a.Name != "" {
				text = a.Kind + " " + a.Name + ": " + text
			}
			c.Advice = append(c.Advice, p.number(text))
		}
		for _, n := range i.Notes {
			c.Notes = append(c.Notes, [2]int{p.number(n.Text), p.place(n.Loc)})
		}
		for _, i := range g.Items {
			c.Places = append(c.Places, p.place(i.At.Loc))
		}
		v.Causes = append(v.Causes, c)
		for _, i := range g.Items {
			of[i] = len(v.Causes)
		}
	}
	for _, f := range v.Functions {
		for k, op := range f.ops {
			if op != nil {
				f.Rows[k].Cause = of[e.ItemOf(op)]
			}
		}
	}
}
