package ownership

import (
	"freehold/dialect/arith"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// query tells whether two buffers may be the same. In precise simplification it also looks at what choices pass on together: these are
// different buffers if they are in each of the branches, although one may be in this what the other one is in that.
func (s *simplifier) query(v, w *ir.Value) analysis.Alias {
	answer := s.origins.Query(v, w)
	if answer == analysis.MayAlias && s.precise && s.apart(v, w, map[[2]*ir.Value]bool{}) {
		return analysis.NeverAlias
	}
	return answer
}

// apart tells whether two buffers are never the same. It follows choices; visited are the pairs that it was asked for.
func (s *simplifier) apart(v, w *ir.Value, visited map[[2]*ir.Value]bool) bool {
	v, w = wholeOf(v), wholeOf(w)
	if v == w {
		return false
	}
	k := [2]*ir.Value{v, w}
	if answer, ok := visited[k]; ok {
		return answer
	}
	visited[k] = s.arePassedOnApart(v, w, visited)
	return visited[k]
}

func (s *simplifier) arePassedOnApart(v, w *ir.Value, visited map[[2]*ir.Value]bool) bool {
	decides, of := alternatives(v)
	other, with := alternatives(w)
	if decides == nil || decides != other || len(of) != len(with) || v.ParentBlock() != w.ParentBlock() {
		return false
	}
	for i := range of {
		if !distinctAllocAndBlockArg(of[i], with[i]) && s.origins.Query(of[i], with[i]) != analysis.NeverAlias && !s.apart(of[i], with[i], visited) {
			return false
		}
	}
	return true
}

// alternatives returns what a value is in each of the branches of a choice, and what decides between them: a condition, or the
// operation if that has another one. It returns nil if the value isn't what a choice passes on.
func alternatives(v *ir.Value) (decides any, values []*ir.Value) {
	op := v.DefiningOp()
	switch {
	case op == nil:
	case op.Is(arith.Select) && arith.SelectOp{Op: op}.Condition().Type() == ir.Type(ir.I1):
		return arith.SelectOp{Op: op}.Condition(), []*ir.Value{arith.SelectOp{Op: op}.TrueValue(), arith.SelectOp{Op: op}.FalseValue()}
	case op.Is(scf.If), op.Is(scf.IndexSwitch):
		for _, r := range op.Regions() {
			last := r.Entry().Last()
			start, n := interfaces.TerminatorOperands(last, interfaces.ParentPoint)
			if v.Index() >= n {
				return nil, nil
			}
			values = append(values, last.Operand(start+v.Index()))
		}
		if op.Is(scf.If) {
			return scf.IfOp{Op: op}.Condition(), values
		}
		return op, values
	}
	return nil, nil
}
