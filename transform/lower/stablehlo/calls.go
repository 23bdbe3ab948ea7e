package stablehlo

import (
	"freehold/dialect/arith"
	"freehold/dialect/check"
	"freehold/dialect/linalg"
	"freehold/dialect/stablehlo"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// knownCalls are the targets of custom calls that mean operations.
var knownCalls map[string]rule

func init() {
	knownCalls = map[string]rule{
		"check.eq":               (*lowering).equal,
		"check.expect_eq":        expectation(check.ExpectEq),
		"check.expect_almost_eq": expectation(check.ExpectAlmostEq),
		"check.expect_close":     expectation(check.ExpectClose),
	}
}

// customCall lowers a call of something outside of the program by its name.
func (l *lowering) customCall(op *ir.Op) ([]*ir.Value, error) {
	target := op.Attr("call_target_name").(*ir.StringAttr).Value
	if r := knownCalls[target]; r != nil {
		return r(l, op)
	}
	return nil, errorf("it calls @%s, which isn't known here", target)
}

// limits are the attributes of comparisons that say how exact a result has to be.
var limits = []string{check.ToleranceAttr, check.MinULPAttr, check.MaxULPAttr}

// expectation makes a comparison of a call.
func expectation(id *ir.OpID) rule {
	return func(l *lowering, op *ir.Op) ([]*ir.Value, error) {
		if op.NumOperands() != 2 || op.NumResults() != 0 {
			return nil, errorf("a check compares two tensors, and has no result")
		}
		s := l.b.State(id)
		s.Operands = op.Operands().Values()
		config, _ := op.Attr("backend_config").(*ir.DictAttr)
		for _, name := range limits {
			if a := op.DiscardableAttr(name); a != nil && s.Name.Def().AttrIndex(name) >= 0 {
				s.SetAttr(name, a)
			}
			if config == nil || s.Name.Def().AttrIndex(name) < 0 {
				continue
			}
			for _, a := range config.Entries {
				if a.Name == name {
					s.SetAttr(name, a.Value)
				}
			}
		}
		l.b.Create(s)
		return nil, nil
	}
}

// expectConstant compares with a constant.
func expectConstant(id *ir.OpID) rule {
	return func(l *lowering, op *ir.Op) ([]*ir.Value, error) {
		s := l.b.State(id)
		s.Operands = []*ir.Value{op.Operand(0), stablehlo.NewConstant(l.b, op.Attr("value"))}
		if a := op.Attr(check.ToleranceAttr); a != nil {
			s.SetAttr(check.ToleranceAttr, a)
		}
		l.b.Create(s)
		return nil, nil
	}
}

// equal tells whether two tensors have the same elements.
func (l *lowering) equal(op *ir.Op) ([]*ir.Value, error) {
	if op.NumOperands() != 2 || op.NumResults() != 1 {
		return nil, errorf("it compares two tensors, and has one result")
	}
	b := l.b
	x, y := op.Operand(0), op.Operand(1)
	rank := len(ranked(x).Shape)
	c := b.Context()
	iterators := make([]interfaces.Iterator, rank)
	for i := range iterators {
		iterators[i] = interfaces.Reduction
	}
	maps := []*ir.AffineMap{c.IdentityMap(rank), c.IdentityMap(rank), c.AffineMap(rank, 0)}
	init := l.filled(nil, arith.ConstantBool(b, true))
	e := &element{Builder: b, in: []ir.Type{ranked(x).Elem}}
	var failed bool
	r := linalg.NewGeneric(b, []*ir.Value{x, y}, one(init), maps, iterators, func(_ *ir.Builder, args []*ir.Value) []*ir.Value {
		t := plain(c, ranked(x).Elem)
		p, q := enter(b, args[0], t), enter(b, args[1], t)
		var same *ir.Value
		switch {
		case ir.IsFloat(t):
			same = e.cmpF(arith.OEQ, p, q)
		case complexOf(t) != nil:
			same = e.compareComplex(stablehlo.EQ, []*ir.Value{p, q})
		case isInteger(t):
			same = e.cmpI(arith.EQ, p, q)
		default:
			failed = true
			same = args[2]
		}
		return one(arith.New(b, arith.AndI, args[2], same))
	})
	if failed {
		return nil, errTypes
	}
	return r.Results().Values(), nil
}
