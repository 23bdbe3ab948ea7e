package explain

import (
	"cmp"
	"freehold/internal/lazyregexp"
	"slices"
)

// Group is the items that are there for the same reason, by the same kind of operation: one entry for a layer that is repeated, say.
type Group struct {
	// Items are the largest first. There is at least one.
	Items []*Item
	// Copies, Allocations and Parts are the sums of theirs, Bytes that of the sizes that are known; Unknown counts the items of
	// other sizes.
	Copies, Allocations, Parts int
	Bytes                      int64
	Unknown                    int
}

// First returns the largest item, whose words stand for the group.
func (g *Group) First() *Item { return g.Items[0] }

// Groups returns the items in groups: those with copies first, and then the largest. It takes near-linear time.
func Groups(items []*Item) []*Group {
	type key struct {
		cause  Cause
		copies bool
		stays  bool
		title  string
		advice string
		arena  bool
	}
	byKey := map[key]*Group{}
	var out []*Group
	for _, i := range items {
		k := key{i.Cause, i.IsCopy(), i.Remains(), withoutNames(i.commonTitle()), "", i.Parts > 0}
		if len(i.Advice) > 0 {
			k.advice = i.Advice[0].Kind + withoutNames(i.Advice[0].Name+i.Advice[0].Text)
		}
		g := byKey[k]
		if g == nil {
			g = &Group{}
			byKey[k] = g
			out = append(out, g)
		}
		g.add(i)
	}
	for _, g := range out {
		slices.SortStableFunc(g.Items, func(a, b *Item) int { return compareSizes(b.Size, a.Size) })
	}
	slices.SortStableFunc(out, compareGroups)
	return out
}

func (g *Group) add(i *Item) {
	g.Items = append(g.Items, i)
	g.Copies += i.Copies
	g.Allocations += i.Allocations
	g.Parts += i.Parts
	if !i.Size.IsStatic() {
		g.Unknown++
		return
	}
	g.Bytes += i.Size.Bytes * int64(max(i.Copies, i.Allocations))
}

// compareGroups orders what is left before what is not, copies before allocations, and then by size.
func compareGroups(a, b *Group) int {
	return cmp.Or(cmp.Compare(rank(a.First()), rank(b.First())), cmp.Compare(b.Unknown, a.Unknown), cmp.Compare(b.Bytes, a.Bytes))
}

func rank(i *Item) int {
	switch {
	case i.Copies > 0:
		return 0
	case i.Remains():
		return 1
	}
	return 2
}

var nameOfValue = lazyregexp.New(`%[\w$.#-]+`)

// withoutNames is a title in which all values have the same name.
func withoutNames(title string) string { return nameOfValue().ReplaceAllString(title, "%") }
