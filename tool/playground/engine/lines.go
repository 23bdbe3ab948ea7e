package engine

import (
	"slices"

	"freehold/ir"
)

// Lines tells from where in the program as it was given the lines of a stage come.
type Lines struct {
	// Of has, for each line of the stage's text, the line of the given program whose operation is there; 0 for none.
	Of []int32 `json:"of"`
	// Operations are the lines of the given program at which operations are, in ascending order.
	Operations []int32 `json:"operations"`
}

// Lines returns what the lines of a stage come from. The text is read anew: its operations are those of the stage, in the same order.
func (e *Engine) Lines(n int) (*Lines, error) {
	p, err := e.program(n)
	if err != nil {
		return nil, err
	}
	origin := e.stages[n].lines
	out := &Lines{Of: make([]int32, len(newPlaces(e.stages[n].text).starts))}
	if at := linesOf(p.Module); len(at) == len(origin) {
		for i, line := range at {
			if line > 0 && int(line) <= len(out.Of) && out.Of[line-1] == 0 {
				out.Of[line-1] = origin[i]
			}
		}
	}
	out.Operations = slices.DeleteFunc(slices.Clone(e.stages[0].lines), func(line int32) bool { return line == 0 })
	slices.Sort(out.Operations)
	out.Operations = slices.Compact(out.Operations)
	return out, nil
}

// linesOf returns the lines of operations, in the order of a walk; 0 for one without a place.
func linesOf(module *ir.Op) []int32 {
	var out []int32
	module.Walk(func(op *ir.Op) bool {
		line := int32(0)
		if pos, ok := ir.SourcePos(op.Loc()); ok {
			line = int32(pos.Line)
		}
		out = append(out, line)
		return true
	})
	return out
}
