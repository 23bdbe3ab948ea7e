package model

import (
	"fmt"
	"strconv"
	"strings"
)

// Listing returns the operators of a file as text, each in a line of its own, those of one subgraph after those of the
// other: what makes which tensors of which ones. It is nil for a file that can't be read.
func Listing(data []byte) []byte {
	m, err := Read(data)
	if err != nil {
		return nil
	}
	var w strings.Builder
	for _, g := range m.Subgraphs {
		for _, o := range g.Operators {
			for i, t := range o.Outputs {
				separate(&w, i)
				w.WriteString(g.describe(t))
			}
			if w.WriteString(" = "); o.Code == Custom {
				fmt.Fprintf(&w, "%s ", o.Custom)
			}
			fmt.Fprintf(&w, "%s(", o.Code)
			for i, t := range o.Inputs {
				separate(&w, i)
				if t < 0 {
					w.WriteByte('-')
					continue
				}
				w.WriteString(g.describe(t))
			}
			w.WriteString(")\n")
		}
	}
	return []byte(w.String())
}

func separate(w *strings.Builder, i int) {
	if i > 0 {
		w.WriteString(", ")
	}
}

// describe returns the name and the type of a tensor.
func (g *Subgraph) describe(tensor int) string {
	t := g.Tensors[tensor]
	sizes := make([]string, len(t.Shape))
	for i, n := range t.Shape {
		sizes[i] = strconv.FormatInt(n, 10)
	}
	return g.ShortName(tensor) + " " + t.Type.String() + "[" + strings.Join(sizes, "x") + "]"
}

// ShortName returns the name of a tensor: the first of those that a converter has joined by semicolons, when it joined operators,
// or the tensor's number if it has none.
func (g *Subgraph) ShortName(tensor int) string {
	name, _, _ := strings.Cut(g.Tensors[tensor].Name, ";")
	name = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, name)
	if name == "" {
		return fmt.Sprintf("tensor%d", tensor)
	}
	return name
}
