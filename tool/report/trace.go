package report

import (
	"cmp"
	"context"
	"slices"

	"freehold/exec/interp"
	"freehold/memory/plan"
)

// mostTraced is how many buffers of an execution are shown: the largest ones. Loops allocate again
// and again.
const mostTraced = 20000

// AddTrace adds a view of what an execution did with memory: when each allocation on heap and stack
// was made and freed, as [interp.Run] traced it. Its function has the name of the one that was
// executed, so that pages show both side by side. At most the 20,000 largest allocations are
// shown. Near-linear, but for the search for an arena, which is kept short.
func (p *Page) AddTrace(label string, t *interp.MemoryTrace) *View {
	f := &Function{Name: t.Function, Steps: [][2]int{}, Rows: []Row{}, Always: []Row{}}
	at := map[int]int{} // the rows of what is alive
	last := 0
	for _, e := range t.Events {
		size := max(e.Bytes, 0)
		row := Row{Kind: "buffer", Op: p.number(e.Op), Type: p.number(e.Type), Place: p.placeAt(e.File, e.Line), Size: Bytes{Known: size}, Spans: [][2]int{}}
		row.Name, row.Group = p.number(p.nameAt(row.Place)), p.number(e.Op+" "+shapeText(e.Type))
		switch {
		case e.Event == "copy":
			f.Copies++
			f.Copied.Known += size
			continue
		case e.Event == "alloc" && e.Origin == "argument":
			row.Kind, row.Op, row.Name = "argument", p.number("argument"), p.number("argument")
			f.Arguments.Known += size
			f.Always = append(f.Always, row)
			continue
		case e.Event == "alloc" && e.Origin == "global":
			row.Kind = "constant"
			f.Constants.Known += size
			f.Always = append(f.Always, row)
			continue
		case e.Origin != "heap" && e.Origin != "stack":
			continue
		}
		last = len(f.Steps)
		f.Steps = append(f.Steps, [2]int{row.Op, row.Place})
		k, alive := at[e.ID]
		switch {
		case e.Event == "alloc" && !alive:
			row.Spans = append(row.Spans, [2]int{last, 0})
			row.Leaked = e.Origin == "heap"
			at[e.ID] = len(f.Rows)
			f.Rows = append(f.Rows, row)
			f.Allocations++
		case e.Event == "free" && alive:
			f.Rows[k].Spans[0][1], f.Rows[k].Leaked = last, false
			delete(at, e.ID)
		}
	}
	for _, k := range at {
		f.Rows[k].Spans[0][1] = len(f.Steps)
	}
	if len(f.Rows) > mostTraced {
		slices.SortStableFunc(f.Rows, func(a, b Row) int { return cmp.Compare(b.Size.Known, a.Size.Known) })
		f.Rows = f.Rows[:mostTraced]
		label += ", the largest buffers"
	}
	problem := &plan.Problem{}
	for _, r := range f.Rows {
		problem.Buffers = append(problem.Buffers, plan.Buffer{Size: r.Size.Known, Alignment: alignment,
			Live: []plan.Interval{{Lower: int64(r.Spans[0][0]), Upper: int64(r.Spans[0][1])}}})
	}
	f.place(problem)
	f.Peaks = []Peak{{Bytes{Known: t.PeakBytes}, p.highestStep(f)}}
	v := &View{Label: label, Functions: []*Function{f}}
	p.Views = append(p.Views, v)
	return v
}

// place gives rows their offsets in one arena. Sizes are checked, so that all problems have
// solutions; the search is kept short.
func (f *Function) place(problem *plan.Problem) {
	o := plan.Options{NodeLimit: searchSteps}
	if len(problem.Buffers) > manyBuffers {
		o = plan.Options{Solver: plan.Exact, NodeLimit: 1} // one good order, and next to no search
	}
	if s, err := plan.Solve(context.Background(), problem, o); err == nil {
		f.Arena, f.Bound = s.Peak, s.LowerBound
		for i := range f.Rows {
			f.Rows[i].Offset = s.Offsets[i]
		}
	}
}

// highestStep returns the first step at which most is alive.
func (p *Page) highestStep(f *Function) (best int) {
	curve := p.curve(f)
	for i, alive := range curve {
		if alive > curve[best] {
			best = i
		}
	}
	return best
}
