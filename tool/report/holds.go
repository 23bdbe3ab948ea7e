package report

import (
	"slices"

	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
)

// held is what an operation puts into a buffer.
type held struct {
	step  int
	what  string // the operation, as it is called in the source
	place int
	// fills tells that it puts the same everywhere, whatever else is in memory.
	fills bool
}

// holding is what is put into the buffers of a function, in the order of the text.
type holding map[*ir.Value][]held

// mostHeld is how much is told of what is in a buffer one after the other.
const mostHeld = 12

// holds finds out what operations put into the buffers that rows are about, in linear time. What comes to a buffer through a loop or a branch is
// left out.
func (p *Page) holds(fn *ir.Op, life *analysis.Lifetimes, rows []footprint.Row, steps []int64) holding {
	out := holding{}
	for _, r := range rows {
		if r.Value != nil && ir.IsMemRef(r.Value.Type()) {
			out[r.Value] = nil
		}
	}
	if len(out) == 0 {
		return out
	}
	fn.Walk(func(op *ir.Op) bool {
		effects, _ := interfaces.EffectsOf(op)
		reads := false
		for _, e := range effects {
			v := e.Value(op)
			reads = reads || e.Kind == interfaces.Read && v != nil && ir.IsMemRef(v.Type())
		}
		for _, e := range effects {
			v := e.Value(op)
			if e.Kind != interfaces.Write || v == nil {
				continue
			}
			base := baseOf(v, out)
			list, known := out[base]
			if !known || len(list) == mostHeld {
				continue
			}
			time, _ := life.Of(op)
			step, _ := slices.BinarySearch(steps, time) // at the next step, it is there
			place := p.place(op.Loc())
			out[base] = append(list, held{step, p.written(op, place), place, !reads})
		}
		return true
	})
	return out
}

// baseOf returns the buffer of a row that a value is a view of, or the last one that it is known to be a view of.
func baseOf(v *ir.Value, known holding) *ir.Value {
	for {
		if _, ok := known[v]; ok && !(v.DefiningOp() != nil && memref.IsArena(v)) {
			return v
		}
		op := v.DefiningOp()
		if op == nil {
			return v
		}
		source, ok := interfaces.ViewLike.Of(op)
		if !ok {
			return v
		}
		v = source(op)
	}
}

// mainOf returns the number of what a buffer is for: the first that isn't just a value everywhere.
func mainOf(list []held) int {
	return max(0, slices.IndexFunc(list, func(h held) bool { return !h.fills }))
}

// hold tells in a row what is in its buffer.
func (p *Page) hold(row *Row, list []held) {
	main := list[mainOf(list)]
	if main.place > 0 {
		row.Place, row.Op = main.place, p.number(main.what)
		if name := p.nameAt(main.place); name != "" || p.Strings[row.Name] == "" {
			row.Name = p.number(name)
		} else {
			row.Filled = true
		}
	}
	for _, h := range list[mainOf(list):] {
		if n := len(row.Holds); h.place > 0 && (n == 0 || row.Holds[n-1][1] != h.place) {
			row.Holds = append(row.Holds, [2]int{h.step, h.place})
		}
	}
	if len(row.Holds) == 1 {
		row.Holds = nil // that is what the row says
	}
}
