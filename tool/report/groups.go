package report

import (
	"strings"

	"freehold/internal/lazyregexp"
	"freehold/ir"
	"freehold/memory/footprint"
)

// groupOf returns the group of a row: those that a location gives the same name, apart from numbers; or else those of the same operation and shape.
func (p *Page) groupOf(r footprint.Row, row Row) string {
	if r.Op != nil {
		if layer := layerOf(r.Op.Loc()); layer != "" {
			return digits().ReplaceAllString(layer, "N")
		}
	}
	group := p.Strings[row.Op]
	if r.Value != nil {
		group += " " + shapeText(p.Strings[row.Type])
	}
	if r.Copy {
		group = "copy for " + group
	}
	return group
}

var digits = lazyregexp.New(`[0-9]+`)

// shapeText is the shape and the element of a type, without what tells tensors and buffers apart.
func shapeText(t string) string {
	_, t, _ = strings.Cut(t, "<")
	t = strings.TrimSuffix(t, ">")
	t, _, _ = strings.Cut(t, ", ")
	return t
}

// layerOf returns the name that a location gives what it is the location of, the first if there are several; "" if it gives none.
func layerOf(loc ir.Location) (name string) {
	ir.WalkLocation(loc, func(l ir.Location) bool {
		if n, ok := l.(*ir.NameLoc); ok {
			name, _, _ = strings.Cut(n.Name, ";")
		}
		return name == ""
	})
	return name
}
