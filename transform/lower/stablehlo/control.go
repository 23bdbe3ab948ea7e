package stablehlo

import (
	"freehold/dialect/arith"
	"freehold/dialect/scf"
	"freehold/dialect/stablehlo"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/shapes"
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

// carried is how values pass through control flow: tensors of one element as that element, so that counters need no memory.
func carried(types []ir.Type) []ir.Type {
	out := make([]ir.Type, len(types))
	for i, t := range types {
		out[i] = t
		if r, ok := t.(*ir.RankedTensorType); ok && len(r.Shape) == 0 {
			out[i] = r.Elem
		}
	}
	return out
}

// unwrapped are the values as they are carried.
func (l *lowering) unwrapped(values []*ir.Value, types []ir.Type) []*ir.Value {
	out := make([]*ir.Value, len(values))
	for i, v := range values {
		if out[i] = l.typed(v, types[i]); !ir.IsTensor(carried(types[i : i+1])[0]) && ir.IsTensor(v.Type()) {
			out[i] = l.only(out[i])
		}
	}
	return out
}

// rewrapped makes tensors of what was carried.
func (l *lowering) rewrapped(values []*ir.Value, types []ir.Type) []*ir.Value {
	out := make([]*ir.Value, len(values))
	for i, v := range values {
		if out[i] = v; ir.IsTensor(types[i]) && !ir.IsTensor(v.Type()) {
			out[i] = l.put(v)
		}
	}
	return out
}

// put is the tensor without dimensions of an element, in memory that may be that of another one.
func (l *lowering) put(v *ir.Value) *ir.Value {
	return tensor.NewInsert(l.b, v, empty(l.b, nil, v.Type()))
}

func (l *lowering) while(op *ir.Op) ([]*ir.Value, error) {
	types := op.Results().Types()
	inits := l.unwrapped(op.Operands().Values(), types)
	w := scf.NewWhile(l.b, carried(types), inits)
	l.b.SetEnd(w.Before())
	cond := l.moved(op.RegionAt(0), w.Before(), l.rewrapped(w.Before().Args(), types), nil)
	scf.NewCondition(l.b, l.only(cond[0]), w.Before().Args()...)
	l.b.SetEnd(w.After())
	next := l.moved(op.RegionAt(1), w.After(), l.rewrapped(w.After().Args(), types), types)
	scf.NewYield(l.b, l.unwrapped(next, types)...)
	l.b.SetAfter(w.Op)
	return l.rewrapped(w.Results().Values(), types), nil
}

func (l *lowering) ifElse(op *ir.Op) ([]*ir.Value, error) {
	types := op.Results().Types()
	branch := func(i int) func(*ir.Builder) []*ir.Value {
		return func(b *ir.Builder) []*ir.Value {
			return l.unwrapped(l.moved(op.RegionAt(i), b.InsertionPoint().Block, nil, types), types)
		}
	}
	return l.rewrapped(scf.NewIf(l.b, l.only(stablehlo.IfOp{Op: op}.Pred()), carried(types), branch(0), branch(1)).Results().Values(), types), nil
}

// choice is a choice among several regions; the last one stands for all numbers that have none.
func (l *lowering) choice(op *ir.Op) ([]*ir.Value, error) {
	types := op.Results().Types()
	n := op.NumRegions() - 1
	at := l.only(stablehlo.CaseOp{Op: op}.Index())
	s := l.b.State(scf.IndexSwitch)
	s.Operands, s.Types = one(l.signedIndex(at)), carried(types)
	s.SetAttr(scf.CasesAttr, l.b.Context().DenseI64Array(shapes.UpTo(n)...))
	for range n + 1 {
		s.AddRegion().AddBlock()
	}
	sw := l.b.Create(s)
	for i := range n + 1 {
		to := sw.BodyBlock((i + 1) % (n + 1))
		scf.NewYield(l.b, l.unwrapped(l.moved(op.RegionAt(i), to, nil, types), types)...)
	}
	l.b.SetAfter(sw)
	return l.rewrapped(sw.Results().Values(), types), nil
}

// signedIndex is the index of an integer with a sign.
func (l *lowering) signedIndex(v *ir.Value) *ir.Value {
	return arith.NewCast(l.b, arith.IndexCast, ir.Index, enter(l.b, v, plain(l.b.Context(), v.Type())))
}

// barrier hands its operands on: nothing here moves operations across it that must not be.
func (l *lowering) barrier(op *ir.Op) ([]*ir.Value, error) { return op.Operands().Values(), nil }

// tupled is why an operation on tuples isn't lowered.
func tupled(_ *lowering, op *ir.Op) ([]*ir.Value, error) {
	return nil, errorf("a tuple is a value here, and not only a list of what it is made of")
}
