package ownership

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// query tells whether two buffers may be the same. In precise simplification it also looks at what choices and loops pass on together: these are
// different buffers if they are wherever control comes from, although one may be in this branch what the other one is in that, or in this
// iteration what the other one was in the last.
func (s *simplifier) query(v, w *ir.Value) analysis.Alias {
	answer := s.origins.Query(v, w)
	if answer == analysis.MayAlias && s.precise && s.apart(v, w, map[[2]*ir.Value]bool{}) {
		return analysis.NeverAlias
	}
	return answer
}

// apart tells whether two buffers are never the same. It follows choices and loops; visited are the pairs that it was asked for. All
// of these must be apart, so that one that comes round again in a loop is, unless another one isn't.
func (s *simplifier) apart(v, w *ir.Value, visited map[[2]*ir.Value]bool) bool {
	v, w = wholeOf(v), wholeOf(w)
	if v == w || len(visited) > maxApart {
		return false
	}
	if visited[[2]*ir.Value{v, w}] || visited[[2]*ir.Value{w, v}] {
		return true
	}
	visited[[2]*ir.Value{v, w}] = true
	from, of := alternatives(v)
	other, with := alternatives(w)
	if from == nil || from != other || len(of) != len(with) || v.ParentBlock() != w.ParentBlock() {
		return false
	}
	for i, x := range of {
		y := with[i]
		if x == nil || y == nil || !distinctAllocAndBlockArg(x, y) && s.origins.Query(x, y) != analysis.NeverAlias && !s.apart(x, y, visited) {
			return false
		}
	}
	return true
}

// maxApart limits the pairs of buffers that are looked at for one.
const maxApart = 64

// alternatives returns what a value is by each way on which control comes to where it is passed, nil if that isn't known, and what stands for
// these ways: values with the same are passed on together. It returns nothing if the value isn't passed on.
func alternatives(v *ir.Value) (from any, values []*ir.Value) {
	op := v.DefiningOp()
	if v.IsBlockArg() {
		op = v.ParentBlock().ParentOp()
	}
	if op == nil {
		return nil, nil
	}
	if op.Is(arith.Select) && (arith.SelectOp{Op: op}).Condition().Type() == ir.Type(ir.I1) {
		return arith.SelectOp{Op: op}.Condition(), []*ir.Value{arith.SelectOp{Op: op}.TrueValue(), arith.SelectOp{Op: op}.FalseValue()}
	}
	m, ok := interfaces.RegionBranch.Of(op)
	if !ok {
		return nil, nil
	}
	interfaces.ForEachRegionEdge(op, m, func(passed ir.Operands, inputs []*ir.Value) {
		i := slices.Index(inputs, v)
		switch {
		case i < 0:
			return
		case i < len(passed):
			values = append(values, passed.At(i))
		default:
			values = append(values, nil)
		}
		from = inputs[0]
	})
	if op.Is(scf.If) && from != nil {
		from = scf.IfOp{Op: op}.Condition() // another one with this condition goes the same way
	}
	return from, values
}
