package report

import (
	"encoding/json"
	"fmt"
	"strings"

	"freehold/ir"
	"freehold/tool/explain"
)

// Place is a line of a source.
type Place struct {
	File int // number of the name
	Line uint32
	Text string
	// Name and Op are the numbers of what the line defines, the first if it defines several, and of the operation that does it; 0 if there is none.
	Name, Op int
	// Listed tells that the source is no text, such as a model of TensorFlow Lite, whose operators are listed one a line.
	Listed bool
}

// MarshalJSON writes a place as a list.
func (p Place) MarshalJSON() ([]byte, error) {
	list := []any{p.File, p.Line, p.Text, p.Name, p.Op}
	if p.Listed {
		list = append(list, 1)
	}
	return json.Marshal(list)
}

// String says where it is: "line 5", or "operator 5".
func (p Place) String() string {
	if p.Listed {
		return fmt.Sprint("operator ", p.Line)
	}
	return fmt.Sprint("line ", p.Line)
}

type sourceLine struct {
	file string
	line uint32
}

// place returns the number of a location's line, and keeps the line.
func (p *Page) place(l ir.Location) int {
	if l == nil {
		return 0
	}
	pos, ok := ir.SourcePos(l)
	if !ok {
		return 0
	}
	return p.placeAt(pos.File(), pos.Line)
}

// longestLine is how much of a line of the source is kept, in bytes.
const longestLine = 110

// placeAt returns the number of a line, and keeps the line.
func (p *Page) placeAt(file string, number uint32) int {
	if file == "" {
		return 0
	}
	key := sourceLine{file, number}
	n, ok := p.places[key]
	if !ok {
		line := strings.TrimSpace(p.names.Line(key.file, key.line))
		x := Place{File: p.number(key.file), Line: key.line, Text: line}
		name, op, listed := explain.Definition(line)
		x.Name, x.Op, x.Listed = p.number(name), p.number(op), listed
		if len(line) > longestLine {
			x.Text = strings.ToValidUTF8(line[:longestLine], "") + "…"
		}
		n = len(p.Places)
		p.places[key] = n
		p.Places = append(p.Places, x)
	}
	return n
}

// written is how an operation is called in the source, where others have taken its place; else it is its own name, if there is an operation.
func (p *Page) written(op *ir.Op, place int) string {
	switch at := p.Places[place]; {
	case at.Op > 0:
		return p.Strings[at.Op]
	case op == nil:
		return ""
	}
	return op.Name()
}

// nameAt is the name of what a place defines, the first if that is several; "" if it defines nothing.
func (p *Page) nameAt(place int) string { return p.Strings[p.Places[place].Name] }
