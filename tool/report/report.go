// Package report shows the memory of programs as a page for a browser: which buffer is where
// and when, how much is alive, why there are copies. The page is one file that needs nothing
// else.
//
// It adds no analysis: when buffers are alive is what package footprint says, where they
// would be in one arena, package plan, and why there are copies, package explain.
package report

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
	"freehold/memory/plan"
	"freehold/proof/check"
	"freehold/tool/explain"
)

// Page is what a page shows.
type Page struct {
	Title string `json:"title"`
	// Views are programs, or stages of one, in the order in which they are shown.
	Views []*View `json:"views"`
	// Strings are the names, types and so on that others refer to by number.
	Strings []string `json:"strings"`
	// Places are places of the sources; the first stands for none.
	Places  []Place `json:"places"`
	numbers map[string]int
	places  map[sourceLine]int
	names   *asm.SourceNames
}

// Place is a line of a source.
type Place struct {
	File int // number of the name
	Line uint32
	Text string
}

// MarshalJSON writes a place as a list.
func (p Place) MarshalJSON() ([]byte, error) { return json.Marshal([]any{p.File, p.Line, p.Text}) }

type sourceLine struct {
	file string
	line uint32
}

// View is one program, or one stage of it.
type View struct {
	Label     string      `json:"label"`
	Functions []*Function `json:"functions"`
	// Causes say why there are copies and allocations; only of compiled programs.
	Causes []Cause `json:"causes,omitempty"`
}

// Function is the memory of a function. Sizes are in bytes.
type Function struct {
	Name        string `json:"name"`
	Allocations int    `json:"allocations"`
	Tensors     int    `json:"tensors"`
	Copies      int    `json:"copies"`
	Copied      int64  `json:"copied"`
	Arguments   int64  `json:"arguments"`
	Constants   int64  `json:"constants"`
	// Peak is the largest sum of what is alive; Arena, what one arena for all needs, as
	// planned; Bound, what no arena can do with less.
	Peak  int64 `json:"peak"`
	Arena int64 `json:"arena"`
	Bound int64 `json:"bound"`
	// Unknown are the texts of those of these sizes that aren't known, by their names in JSON, such as
	// "peak": "4*arg0[0]".
	Unknown map[string]string `json:"unknown,omitempty"`
	// Dynamic counts the buffers whose sizes aren't known; they aren't shown in the chart.
	Dynamic int `json:"dynamic"`
	// Steps are the moments at which something begins or ends: pairs of an operation and
	// a place.
	Steps [][2]int `json:"steps"`
	Rows  []Row    `json:"rows"`
	// Always are arguments and constants.
	Always []Row `json:"always"`
}

// Row is a buffer.
type Row struct {
	// Kind is "buffer", "tensor", "call", "argument" or "constant".
	Kind string
	// Op, Type and Space are numbers of strings, Place of a place.
	Op, Type, Place, Space int
	Size                   int64
	Text                   string // of a size that isn't known
	Offset                 int64
	// Spans are when it is alive: pairs of steps.
	Spans  [][2]int
	Leaked bool
}

// MarshalJSON writes a row as a list, with its spans one after the other in the end: pages
// have many rows.
func (r Row) MarshalJSON() ([]byte, error) {
	list := []any{r.Kind[:1], r.Op, r.Type, r.Place, r.Space, r.Size, r.Offset, r.Leaked, r.Text}
	for _, s := range r.Spans {
		list = append(list, s[0], s[1])
	}
	return json.Marshal(list)
}

// Cause is a copy or an allocation with its reason. Title, Advice and Size are numbers of
// strings.
type Cause struct {
	Copy   bool  `json:"copy"`
	Bytes  int64 `json:"bytes"`
	Size   int   `json:"size"`
	Title  int   `json:"title"`
	Place  int   `json:"place"`
	Advice []int `json:"advice"`
}

// New returns a page without views. source returns the text of a file, or nil if there is none,
// and may be nil.
func New(title string, source func(file string) []byte) *Page {
	p := &Page{Title: title, Places: []Place{{}}, numbers: map[string]int{}, places: map[sourceLine]int{}, names: asm.NewSourceNames(source)}
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

// placeAt returns the number of a line, and keeps the line.
func (p *Page) placeAt(file string, number uint32) int {
	if file == "" {
		return 0
	}
	key := sourceLine{file, number}
	n, ok := p.places[key]
	if !ok {
		line := strings.TrimSpace(p.names.Line(key.file, key.line))
		if len(line) > longestLine {
			line = strings.ToValidUTF8(line[:longestLine], "") + "…"
		}
		n = len(p.Places)
		p.places[key] = n
		p.Places = append(p.Places, Place{p.number(key.file), key.line, line})
	}
	return n
}

// longestLine is how much of a line of the source is kept, in bytes.
const longestLine = 110

// Add adds a view of a module.
func (p *Page) Add(label string, module *ir.Op) *View {
	v := &View{Label: label, Functions: []*Function{}}
	for _, f := range check.Footprint(module, 0).Functions {
		v.Functions = append(v.Functions, p.function(f))
	}
	slices.SortStableFunc(v.Functions, func(a, b *Function) int { return cmp.Compare(b.Peak, a.Peak) })
	p.Views = append(p.Views, v)
	return v
}

// Explain adds the reasons to a view.
func (p *Page) Explain(v *View, e *explain.Explanation) {
	for _, i := range e.Items {
		if !i.Remains() {
			continue
		}
		c := Cause{
			Copy: i.Copies > 0, Bytes: i.Size.Bytes, Size: p.number(i.Size.String()), Title: p.number(i.Title),
			Place: p.place(i.At.Loc), Advice: []int{},
		}
		for _, a := range i.Advice {
			text := a.Text
			if a.Name != "" {
				text = a.Kind + " " + a.Name + ": " + text
			}
			c.Advice = append(c.Advice, p.number(text))
		}
		v.Causes = append(v.Causes, c)
	}
}

// function shows a function.
func (p *Page) function(f *footprint.Function) *Function {
	out := &Function{
		Name: f.Name, Allocations: f.Allocations, Tensors: f.Tensors, Copies: f.Copies, Copied: f.Copied.Bytes,
		Arguments: f.Arguments.Bytes, Constants: f.Constants.Bytes, Peak: f.Peak().Bytes, Steps: [][2]int{}, Rows: []Row{}, Always: p.always(f.Op),
	}
	for name, size := range map[string]footprint.Size{"peak": f.Peak(), "copied": f.Copied, "arguments": f.Arguments, "constants": f.Constants} {
		if !size.IsStatic() {
			if out.Unknown == nil {
				out.Unknown = map[string]string{}
			}
			out.Unknown[name] = size.String()
		}
	}
	rows := f.Rows()
	steps := stepsOf(rows)
	life := f.Lifetimes()
	for _, time := range steps {
		op := f.Op
		if time < life.End() {
			op = life.At(time)
		}
		out.Steps = append(out.Steps, [2]int{p.number(op.Name()), p.place(op.Loc())})
	}
	problem := &plan.Problem{}
	for _, r := range rows {
		row := p.row(r)
		b := plan.Buffer{Size: row.Size, Alignment: alignment}
		for _, s := range r.Spans {
			from, _ := slices.BinarySearch(steps, s.Lower)
			to, _ := slices.BinarySearch(steps, s.Upper)
			row.Spans = append(row.Spans, [2]int{from, to})
			b.Live = append(b.Live, plan.Interval{Lower: int64(from), Upper: int64(to)})
		}
		if row.Text != "" {
			out.Dynamic++
			b.Size = 0
		}
		out.Rows = append(out.Rows, row)
		problem.Buffers = append(problem.Buffers, b)
	}
	out.place(problem)
	return out
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

// row shows a buffer, a tensor or a call.
func (p *Page) row(r footprint.Row) Row {
	row := Row{Kind: "call", Size: r.Size.Bytes, Leaked: r.Leaked, Spans: [][2]int{}}
	if r.Op != nil {
		row.Op, row.Place = p.number(r.Op.Name()), p.place(r.Op.Loc())
	}
	if r.Callee != "" {
		row.Op = p.number("call @" + r.Callee)
	}
	if r.Value != nil {
		row.Kind = "buffer"
		if ir.IsTensor(r.Value.Type()) {
			row.Kind = "tensor"
		}
		row.Type = p.number(r.Value.Type().String())
		if space := ir.MemorySpaceOf(r.Value.Type()); space != nil {
			row.Space = p.number(space.String())
		}
	}
	if !r.Size.IsStatic() {
		row.Text = r.Size.String()
	}
	return row
}

// always shows arguments and constants.
func (p *Page) always(fn *ir.Op) []Row {
	rows := []Row{}
	add := func(kind string, v *ir.Value, what string) {
		size, ok := footprint.StaticSize(v.Type())
		row := Row{Kind: kind, Op: p.number(what), Type: p.number(v.Type().String()), Place: p.place(v.Loc()), Size: size, Spans: [][2]int{}}
		if !ok {
			row.Text = "dynamic"
		}
		rows = append(rows, row)
	}
	for _, a := range fn.BodyBlock(0).Args() {
		if isMemory(a.Type()) {
			add("argument", a, strings.TrimSpace("argument "+p.names.Value(a)))
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
			add("constant", op.Result(0), op.Name())
		}
		return true
	})
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(b.Size, a.Size) })
	return rows
}

func isMemory(t ir.Type) bool { return ir.IsTensor(t) || ir.IsMemRef(t) }
