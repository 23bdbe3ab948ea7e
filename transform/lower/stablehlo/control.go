package stablehlo

import (
	"freehold/dialect/arith"
	"freehold/dialect/scf"
	"freehold/dialect/stablehlo"
	"freehold/dialect/tensor"
	"freehold/ir"
)

// moved moves the operations of a region, without its return, to the end of a block; values take the place of the arguments. It returns what the region hands
// back, with the types.
func (l *lowering) moved(r *ir.Region, to *ir.Block, values []*ir.Value, types []ir.Type) []*ir.Value {
	from := r.Entry()
	for i, a := range from.Args() {
		l.b.SetEnd(to)
		a.ReplaceAllUsesWith(l.typed(values[i], a.Type()))
	}
	end := from.Last()
	results := end.Operands().Values()
	to.AppendAll(from)
	end.Erase()
	l.b.SetEnd(to)
	out := make([]*ir.Value, len(results))
	for i, v := range results {
		out[i] = v
		if types != nil {
			out[i] = l.typed(v, types[i])
		}
	}
	return out
}

func (l *lowering) while(op *ir.Op) ([]*ir.Value, error) {
	types := op.Results().Types()
	inits := op.Operands().Values()
	for i, v := range inits {
		inits[i] = l.typed(v, types[i])
	}
	w := scf.NewWhile(l.b, types, inits)
	cond := l.moved(op.RegionAt(0), w.Before(), w.Before().Args(), nil)
	scf.NewCondition(l.b, tensor.NewExtract(l.b, cond[0]), w.Before().Args()...)
	next := l.moved(op.RegionAt(1), w.After(), w.After().Args(), types)
	scf.NewYield(l.b, next...)
	return w.Results().Values(), nil
}

func (l *lowering) ifElse(op *ir.Op) ([]*ir.Value, error) {
	types := op.Results().Types()
	branch := func(i int) func(*ir.Builder) []*ir.Value {
		return func(b *ir.Builder) []*ir.Value { return l.moved(op.RegionAt(i), b.InsertionPoint().Block, nil, types) }
	}
	return scf.NewIf(l.b, l.only(op.Operand(0)), types, branch(0), branch(1)).Results().Values(), nil
}

// choice is a choice among several regions; the last one stands for all numbers that have none.
func (l *lowering) choice(op *ir.Op) ([]*ir.Value, error) {
	types := op.Results().Types()
	n := op.NumRegions() - 1
	at := l.only(op.Operand(0))
	s := l.b.State(scf.IndexSwitch)
	s.Operands, s.Types = one(l.signedIndex(at)), types
	s.SetAttr(scf.CasesAttr, l.b.Context().DenseI64Array(upTo(n)...))
	for range n + 1 {
		s.AddRegion().AddBlock()
	}
	sw := l.b.Create(s)
	for i := range n + 1 {
		to := sw.BodyBlock((i + 1) % (n + 1))
		scf.NewYield(l.b, l.moved(op.RegionAt(i), to, nil, types)...)
	}
	return sw.Results().Values(), nil
}

// signedIndex is the index of an integer with a sign.
func (l *lowering) signedIndex(v *ir.Value) *ir.Value {
	return arith.NewCast(l.b, arith.IndexCast, ir.Index, enter(l.b, v, plain(l.b.Context(), v.Type())))
}

// barrier hands its operands on: nothing here moves operations across it that must not be.
func (l *lowering) barrier(op *ir.Op) ([]*ir.Value, error) { return op.Operands().Values(), nil }

// takeTuplesApart replaces parts of tuples by what these were made of, and removes the tuples that nobody needs then.
func takeTuplesApart(module *ir.Op) {
	var parts, tuples []*ir.Op
	module.Walk(func(op *ir.Op) bool {
		switch op.ID() {
		case stablehlo.GetTupleElement:
			parts = append(parts, op)
		case stablehlo.Tuple:
			tuples = append(tuples, op)
		}
		return true
	})
	for _, op := range parts {
		if t := op.Operand(0).DefiningOp(); t != nil && t.Is(stablehlo.Tuple) {
			op.Result(0).ReplaceAllUsesWith(t.Operand(int(intAttr(op, "index"))))
			op.Erase()
		}
	}
	for i := len(tuples) - 1; i >= 0; i-- {
		if !tuples[i].HasUses() {
			tuples[i].Erase()
		}
	}
}

// tupled is why an operation on tuples isn't lowered.
func tupled(_ *lowering, op *ir.Op) ([]*ir.Value, error) {
	return nil, errorf("a tuple is a value here, and not only a list of what it is made of")
}
