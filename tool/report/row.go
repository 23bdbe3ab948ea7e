package report

import (
	"encoding/json"
	"strconv"

	"freehold/internal/lazyregexp"
	"freehold/ir"
	"freehold/memory/footprint"
)

// Row is a buffer, or something else that takes memory.
type Row struct {
	// Kind is "buffer", "tensor", "call", "argument" or "constant".
	Kind string
	// Name, Op, Type, Space and Group are numbers of strings, Place that of a place. Rows of a group are of the same kind, such as those of the
	// same operation in each layer.
	Name, Op, Type, Place, Space, Group int
	Size                                Bytes
	Offset                              int64
	// Spans are when it is alive: pairs of steps.
	Spans [][2]int
	// Holds are the steps at which something else is in it, and the places of that.
	Holds [][2]int
	// Leaked tells that nothing frees it, Written of an argument that the function writes to it, and Filled that the operation writes into
	// what has the name, which isn't its result.
	Leaked, Written, Filled bool
	// Cause is the number of the cause for which it is there, and Arena that of the row that it is a part of, from 1; 0 stands for none.
	Cause, Arena int
}

// letters stand for kinds of rows.
var letters = map[string]string{"buffer": "b", "tensor": "t", "call": "c", "argument": "a", "constant": "k"}

// MarshalJSON writes a row as a list, with its spans one after the other and what it holds in the end: pages
// have many rows.
func (r Row) MarshalJSON() ([]byte, error) {
	flags := 0
	if r.Leaked {
		flags |= 1
	}
	if r.Written {
		flags |= 2
	}
	if r.Filled {
		flags |= 4
	}
	list := []any{letters[r.Kind], r.Name, r.Op, r.Type, r.Place, r.Space, r.Group, r.Size, r.Offset, flags, r.Cause, r.Arena, len(r.Spans)}
	for _, s := range r.Spans {
		list = append(list, s[0], s[1])
	}
	for _, h := range r.Holds {
		list = append(list, h[0], h[1])
	}
	return json.Marshal(list)
}

// argumentAt is the name of the argument at whose place in the source an operation is, such as the allocation for a copy of it; "" if it is elsewhere.
func (p *Page) argumentAt(op *ir.Op) string {
	if op == nil {
		return "" // a block argument
	}
	pos, ok := ir.SourcePos(op.Loc())
	if !ok || pos.Col == 0 {
		return ""
	}
	line := p.names.Line(pos.File(), pos.Line)
	name := argument().FindStringSubmatch(line[min(int(pos.Col)-1, len(line)):])
	if name == nil {
		return ""
	}
	return name[1]
}

// argument matches an argument of a function in the source, or of a block, whose name is the first group.
var argument = lazyregexp.New(`^(%[\w$.-]+)\s*:`)

// spaceText is a memory space as the page writes it: a number without its type.
func spaceText(space ir.Attribute) string {
	if n, ok := space.(*ir.IntegerAttr); ok {
		return "memory space " + strconv.FormatInt(n.Value, 10)
	}
	return "memory space " + space.String()
}

// row shows a buffer, a tensor or a call.
func (p *Page) row(r footprint.Row, f *Function) Row {
	row := Row{Kind: "call", Size: f.bytes(r.Size), Leaked: r.Leaked, Spans: [][2]int{}}
	if r.Op != nil {
		row.Place = p.place(r.Op.Loc())
		row.Op = p.number(p.written(r.Op, row.Place))
	}
	if r.Callee != "" {
		row.Op = p.number("call @" + r.Callee)
	}
	if r.Value != nil {
		row.Kind = "buffer"
		name := p.names.Value(r.Value)
		if p.Places[row.Place].Listed {
			name = p.nameAt(row.Place)
		}
		if ir.IsTensor(r.Value.Type()) {
			row.Kind = "tensor"
		} else if argument := p.argumentAt(r.Op); argument != "" {
			name = "copy of " + argument
		}
		if r.Copy {
			name = "copy for " + r.Op.Name()
		}
		row.Name = p.number(name)
		row.Type = p.number(r.Value.Type().String())
		if space := ir.MemorySpaceOf(r.Value.Type()); space != nil {
			row.Space = p.number(spaceText(space))
		}
	}
	return row
}
