package emitc

import (
	"slices"

	"freehold/ir"
)

// Sums in the order of the program keep compilers from computing several of the numbers that are summed up at a time. Where these are costly, the innermost loop is
// written in steps: so many numbers are computed, and kept, and then summed up one after the other.

// stages are the two parts of the body of a nest whose innermost loop combines numbers with what is written.
type stages struct {
	// first computes what doesn't depend on what is combined, and second the rest; kept are the values of the first one that the second one needs.
	first, second []*ir.Op
	kept          []*ir.Value
}

// staged returns the stages of the nest, or nil if it is written in one go.
func (n *nest) staged() *stages {
	if !n.free || len(n.loops) == 0 {
		return nil
	}
	d, combines := n.loops[len(n.loops)-1], false
	size, known := number(n.sizes[d])
	if known && size < mostLanes {
		return nil
	}
	depends := map[*ir.Value]bool{}
	for _, o := range n.operands[n.inits:] {
		if o.arg == nil || o.r == nil {
			return nil
		}
		if o.strides[d] == "0" {
			combines, depends[o.arg] = true, true
		}
	}
	s, costly, body := &stages{}, false, n.op.BodyBlock(0)
	keep := func(v *ir.Value) {
		if !depends[v] && n.level(v) == len(n.loops) && !slices.Contains(s.kept, v) {
			s.kept = append(s.kept, v)
		}
	}
	for op := range body.Ops() {
		switch {
		case op == body.Last():
			for k, v := range op.Operands().Values() {
				if alone := n.operands[n.inits+k].strides[d] != "0"; alone && depends[v] {
					return nil
				} else if !alone {
					keep(v)
				}
			}
			continue
		case n.isHoisted(op):
			continue
		case op.NumRegions() > 0 || op.NumResults() != 1 || ir.IsShaped(op.Result(0).Type()):
			return nil
		}
		later := slices.ContainsFunc(op.Operands().Values(), func(v *ir.Value) bool { return depends[v] })
		if !later {
			s.first = append(s.first, op)
			costly = costly || laneFunction(op) != ""
			continue
		}
		depends[op.Result(0)] = true
		s.second = append(s.second, op)
		for _, v := range op.Operands().Values() {
			keep(v)
		}
	}
	if !combines || !costly {
		return nil
	}
	return s
}

// inStages writes the innermost loop in stages.
func (n *nest) inStages(d int, s *stages, totals []string) {
	f := n.f
	combined := func(fn func(k int, o *nestOperand)) {
		for k, o := range n.operands[n.inits:] {
			if o.strides[d] == "0" {
				fn(k, o)
			}
		}
	}
	own := totals[n.inits] == ""
	if own {
		totals = slices.Clone(totals)
		combined(func(k int, o *nestOperand) {
			totals[n.inits+k] = f.variable("total", f.ctype(n.op, o.r.elem), n.element(o))
		})
	}
	n.steps(d, mostLanes, func(first string, width int64) {
		n.vars[d] = first
		if width == 1 {
			n.firstStage(d, s)
			n.secondStage(d, s, totals)
			return
		}
		count, places := f.m.lanesText(width), map[*ir.Value]string{}
		for _, v := range s.kept {
			places[v] = f.names.fresh("kept")
			f.linef("%s %s[%s];", f.ctype(n.op, v.Type()), places[v], count)
		}
		f.m.vectorMacro()
		f.line("FH_INDEPENDENT")
		i := f.count(count)
		n.vars[d] = first + " + " + i
		n.firstStage(d, s)
		for _, v := range s.kept {
			f.linef("%s[%s] = %s;", places[v], i, f.value(v))
		}
		f.close()
		i = f.count(count)
		n.vars[d] = first + " + " + i
		for _, v := range s.kept {
			f.scalars[v] = f.define("next", f.ctype(n.op, v.Type()), places[v]+"["+i+"]")
		}
		n.secondStage(d, s, totals)
		f.close()
	})
	if own {
		combined(func(k int, o *nestOperand) { f.linef("%s = %s;", n.element(o), totals[n.inits+k]) })
	}
}

// firstStage computes what doesn't depend on what is combined, and writes what the loop writes at other places each time.
func (n *nest) firstStage(d int, s *stages) {
	f, t := n.f, n.op.BodyBlock(0).Last()
	for k, o := range n.operands {
		if o.arg == nil || o.r == nil || !o.arg.HasUses() || n.depth(o) < len(n.loops) || k >= n.inits && o.strides[d] == "0" {
			continue
		}
		f.bind(o.arg, f.define("in", f.ctype(n.op, o.r.elem), n.element(o)))
	}
	n.operations(s.first)
	for k, v := range t.Operands().Values() {
		if o := n.operands[n.inits+k]; o.strides[d] != "0" {
			f.linef("%s = %s;", n.element(o), f.passed(t, v))
		}
	}
}

// secondStage combines.
func (n *nest) secondStage(d int, s *stages, totals []string) {
	f, t := n.f, n.op.BodyBlock(0).Last()
	var at []int
	for k, o := range n.operands[n.inits:] {
		if o.strides[d] == "0" {
			f.bind(o.arg, totals[n.inits+k])
			at = append(at, k)
		}
	}
	n.operations(s.second)
	var names, exprs []string
	for _, k := range at {
		names, exprs = append(names, totals[n.inits+k]), append(exprs, f.passed(t, t.Operand(k)))
	}
	f.assignAll(t, names, exprs, func(i int) ir.Type { return n.operands[n.inits+at[i]].r.elem })
}

// operations writes operations of the body, which may ask for counters.
func (n *nest) operations(ops []*ir.Op) {
	f := n.f
	outer, outerSizes := f.nest, f.nestSizes
	f.nest, f.nestSizes = n.vars, n.sizes
	for _, op := range ops {
		f.operation(op)
	}
	f.nest, f.nestSizes = outer, outerSizes
}
