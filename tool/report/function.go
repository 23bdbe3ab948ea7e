package report

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
	"freehold/memory/plan"
)

// Function is the memory of a function. Sizes are in bytes; those that depend on what isn't known are polynomials, see [Bytes].
type Function struct {
	Name        string `json:"name"`
	Allocations int    `json:"allocations"`
	Tensors     int    `json:"tensors"`
	// Arenas counts the allocations that have other buffers as parts, Parts those.
	Arenas int   `json:"arenas"`
	Parts  int   `json:"parts"`
	Copies int   `json:"copies"`
	Copied Bytes `json:"copied"`
	// Arguments and Constants are there before and after.
	Arguments Bytes `json:"arguments"`
	Constants Bytes `json:"constants"`
	// Peaks are the largest sums of what is alive: one if all sizes are known, and else all that may be the largest.
	Peaks []Peak `json:"peaks"`
	// Arena is what one arena for all needs, as planned; Bound, what no arena can do with less. They are of what has a known size.
	Arena int64 `json:"arena"`
	Bound int64 `json:"bound"`
	// More tells that it calls what calls itself, or isn't known, which needs more.
	More bool `json:"more,omitempty"`
	// Symbols are what isn't known: the texts of what sizes depend on.
	Symbols []string `json:"symbols,omitempty"`
	// Dynamic counts the buffers whose sizes depend on them.
	Dynamic int `json:"dynamic"`
	// Steps are the moments at which something begins or ends: an operation and a place each.
	Steps [][2]int `json:"steps"`
	Rows  []Row    `json:"rows"`
	// Always are arguments and constants.
	Always []Row `json:"always"`
	// Repeat tells of operations that are there again and again, such as the layers of a network.
	Repeat *Repeat `json:"repeat,omitempty"`

	symbols map[string]int
	named   func(string) string
	peak    footprint.Size
	// ops are the operations that make the buffers of the rows.
	ops []*ir.Op
}

// Peak is a largest sum of what is alive, and the step at which it is.
type Peak struct {
	Size Bytes `json:"size"`
	Step int   `json:"step"`
}

// Bytes is a number of bytes: a number, and for each product of unknown sizes a number that it is multiplied with.
type Bytes struct {
	Known int64
	// Terms are lists: the number, and the numbers of the symbols.
	Terms [][]int64
	text  string
}

// MarshalJSON writes what is known as a number, and else a list of the known part and the terms.
func (b Bytes) MarshalJSON() ([]byte, error) {
	if len(b.Terms) == 0 {
		return json.Marshal(b.Known)
	}
	list := []any{b.Known}
	for _, t := range b.Terms {
		list = append(list, t)
	}
	return json.Marshal(list)
}

// bytes makes a size of the page of one of a function.
func (f *Function) bytes(s footprint.Size) Bytes {
	out := Bytes{Known: s.Bytes, text: s.String()}
	if s.IsStatic() {
		return out
	}
	named := s.Rename(f.named)
	out.text = named.String()
	for _, t := range named.Terms {
		term := []int64{t.Bytes}
		for _, name := range t.Sizes {
			n, ok := f.symbols[name]
			if !ok {
				n = len(f.Symbols)
				f.symbols[name] = n
				f.Symbols = append(f.Symbols, name)
			}
			term = append(term, int64(n))
		}
		out.Terms = append(out.Terms, term)
	}
	return out
}

// evaluate returns how large something is if all that isn't known is [example].
func (p *Page) evaluate(s footprint.Size) int64 {
	sum := float64(s.Bytes)
	for _, t := range s.Terms {
		x := float64(t.Bytes)
		for range t.Sizes {
			x *= float64(p.Example)
		}
		sum += x
	}
	return int64(min(sum, 1<<62))
}

// function shows a function.
func (p *Page) function(f *footprint.Function, arenas []*footprint.Arena) *Function {
	p.dims.add(f.Op, p.names.Value)
	named := f.Named(p.names.Value)
	out := &Function{
		Name: f.Name, Allocations: f.Allocations, Tensors: f.Tensors, Copies: f.Copies, More: f.Unknown, peak: f.Peak(),
		Steps: [][2]int{}, Rows: []Row{}, symbols: map[string]int{}, named: func(name string) string { return p.dims.rename(f.Name, named(name)) },
	}
	out.Copied, out.Arguments, out.Constants = out.bytes(f.Copied), out.bytes(f.Arguments), out.bytes(f.Constants)
	out.Always = p.always(f.Op, out)
	rows := f.Rows()
	outside := int64(0) // of arenas that are arguments or globals, which don't count in the function's peak
	for _, a := range arenas {
		if a.Function == f.Op && !isRow(rows, a.Buffer) {
			rows = append(rows, wholeArena(a))
			outside += a.Bytes
		}
	}
	var parts []part
	for _, a := range arenas {
		if a.Function == f.Op {
			out.Arenas++
			out.Parts += len(a.Parts)
			rows, parts = unfold(a, rows, parts)
		}
	}
	steps := stepsOf(rows)
	holds := p.holds(f.Op, f.Lifetimes(), rows, steps)
	for _, time := range steps {
		op := f.Op
		if time < f.Lifetimes().End() {
			op = f.Lifetimes().At(time)
		}
		out.Steps = append(out.Steps, p.step(op, holds))
	}
	p.rows(out, rows, parts, steps, holds)
	for _, x := range f.Peaks {
		if out.Arenas > 0 {
			x = f.Fullest(x, arenas)
		}
		at, _ := slices.BinarySearch(steps, x.Time)
		out.Peaks = append(out.Peaks, Peak{out.bytes(x.Size.Plus(footprint.Size{Bytes: outside})), min(at, max(len(steps)-1, 0))})
	}
	out.Repeat = p.repeat(f.Op, out)
	return out
}

// step returns an operation and its place; instead of what makes a buffer, what computes in it is shown.
func (p *Page) step(op *ir.Op, holds holding) [2]int {
	if op.NumResults() == 1 {
		if list := holds[op.Result(0)]; len(list) > 0 {
			first := list[mainOf(list)]
			return [2]int{p.number(first.what), first.place}
		}
	}
	place := p.place(op.Loc())
	return [2]int{p.number(p.written(op, place)), place}
}

// rows adds rows, with where they are in one arena for all. Parts of arenas of the program are where they are in these.
func (p *Page) rows(out *Function, rows []footprint.Row, parts []part, steps []int64, holds holding) {
	problem := &plan.Problem{}
	for i, r := range rows {
		row := p.row(r, out)
		b := plan.Buffer{Size: row.Size.Known, Alignment: alignment}
		for _, s := range r.Spans {
			from, _ := slices.BinarySearch(steps, s.Lower)
			to, _ := slices.BinarySearch(steps, s.Upper)
			row.Spans = append(row.Spans, [2]int{from, to})
			b.Live = append(b.Live, plan.Interval{Lower: int64(from), Upper: int64(to)})
		}
		if len(row.Size.Terms) > 0 {
			out.Dynamic++
			b.Size = 0
		}
		k := i - (len(rows) - len(parts))
		if k >= 0 {
			row.Arena, b.Size = 1+parts[k].arena, 0
		}
		if list := holds[r.Value]; r.Value != nil && len(list) > 0 {
			p.hold(&row, list)
		}
		row.Group = p.number(p.groupOf(r, row))
		out.Rows = append(out.Rows, row)
		out.ops = append(out.ops, r.Op)
		problem.Buffers = append(problem.Buffers, b)
	}
	out.place(problem)
	for k, x := range parts {
		row := &out.Rows[len(rows)-len(parts)+k]
		row.Offset = out.Rows[x.arena].Offset + x.offset
	}
}

// alignment is that of buffers in the arena that is shown, in bytes, as plan-memory's
// default.
const alignment = 16

// searchSteps limits the search for a better arena. Functions of more than manyBuffers get the
// first good one: all strategies would take ten times as long as the rest of the page, for some
// percent.
const searchSteps, manyBuffers = 20000, 5000

// stepsOf returns the times at which something begins or ends, in order.
func stepsOf(rows []footprint.Row) []int64 {
	var times []int64
	for _, r := range rows {
		for _, s := range r.Spans {
			times = append(times, s.Lower, s.Upper)
		}
	}
	slices.Sort(times)
	return slices.Compact(times)
}

// part is a row that is a part of an arena: the number of the row of that, and where in it the part is.
type part struct {
	arena  int
	offset int64
}

func isRow(rows []footprint.Row, v *ir.Value) bool {
	return slices.ContainsFunc(rows, func(r footprint.Row) bool { return r.Value == v })
}

// wholeArena is the row of an arena that the function doesn't allocate, as long as there are parts in it.
func wholeArena(a *footprint.Arena) footprint.Row {
	r := footprint.Row{Item: footprint.Item{Size: a.Size, Value: a.Buffer, Op: a.Buffer.DefiningOp()}}
	span := analysis.Span{Lower: math.MaxInt64}
	for _, b := range a.Problem.Buffers {
		for _, l := range b.Live {
			span.Lower, span.Upper = min(span.Lower, l.Lower), max(span.Upper, l.Upper)
		}
	}
	if span.Lower < span.Upper {
		r.Spans = append(r.Spans, span)
	}
	return r
}

// unfold adds the parts of an arena to the rows, behind those that are none. Empty spans of others stay.
func unfold(a *footprint.Arena, rows []footprint.Row, parts []part) ([]footprint.Row, []part) {
	at := slices.IndexFunc(rows, func(r footprint.Row) bool { return r.Value == a.Buffer })
	for i, v := range a.Parts {
		r := footprint.Row{Item: footprint.Item{Size: a.Sizes[i], Value: v, Op: v.DefiningOp()}}
		for _, s := range a.Problem.Buffers[i].Live {
			r.Spans = append(r.Spans, analysis.Span{Lower: s.Lower, Upper: s.Upper})
		}
		rows, parts = append(rows, r), append(parts, part{at, a.Offsets[i]})
	}
	return rows, parts
}

// always shows arguments and constants.
func (p *Page) always(fn *ir.Op, out *Function) []Row {
	rows := []Row{}
	add := func(kind string, v *ir.Value, name, what string) *Row {
		row := Row{Kind: kind, Name: p.number(name), Op: p.number(what), Type: p.number(v.Type().String()), Place: p.place(v.Loc()), Size: out.bytes(footprint.SizeOf(v))}
		row.Group = p.number(kind + " " + shapeText(v.Type().String()))
		rows = append(rows, row)
		return &rows[len(rows)-1]
	}
	written := analysis.NewWrittenArguments()
	for _, a := range fn.BodyBlock(0).Args() {
		if isMemory(a.Type()) {
			row := add("argument", a, cmp.Or(p.names.Value(a), layerOf(a.Loc()), "argument"), "argument")
			row.Written = ir.IsMemRef(a.Type()) && written.Has(a)
			if memref.IsArena(a) {
				row.Name = p.number("the arena")
			}
		}
	}
	seen := map[ir.Attribute]bool{}
	fn.Walk(func(op *ir.Op) bool {
		if op.NumResults() != 1 || !isMemory(op.Result(0).Type()) {
			return true
		}
		var key ir.Attribute
		if m, ok := interfaces.GlobalBuffer.Of(op); ok {
			key = m(op)
		} else if op.Has(ir.TraitConstantLike) {
			key = op.Attr("value")
		}
		if key != nil && !seen[key] {
			seen[key] = true
			add("constant", op.Result(0), cmp.Or(p.names.Value(op.Result(0)), layerOf(op.Loc()), p.nameAt(p.place(op.Loc()))), op.Name())
		}
		return true
	})
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(b.Size.Known, a.Size.Known) })
	return rows
}

func isMemory(t ir.Type) bool { return ir.IsTensor(t) || ir.IsMemRef(t) }
