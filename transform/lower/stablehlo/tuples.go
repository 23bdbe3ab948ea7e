package stablehlo

import (
	"slices"

	"freehold/dialect/stablehlo"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// tuples replaces tuples by the values that they are made of, wherever they go: into functions and out of them, through calls and control flow.
type tuples struct {
	b *ir.Builder
	// parts are the values that a tuple is made of, with those of tuples in it.
	parts map[*ir.Value][]*ir.Value
	// done are the operations that others have taken the place of, in the order of the program, and blocks those with arguments of which that is true.
	done   []*ir.Op
	blocks []*ir.Block
}

// takeTuplesApart replaces the tuples of a module. What it can't replace stays as it is: operands that are in groups, such as those of branches between
// blocks. Linear time.
func takeTuplesApart(module *ir.Op) {
	t := &tuples{b: ir.NewBuilder(module.Context()), parts: map[*ir.Value][]*ir.Value{}}
	for _, r := range module.Regions() {
		t.region(r)
	}
	for i := len(t.done) - 1; i >= 0; i-- {
		if !t.done[i].HasUses() {
			t.done[i].Erase()
		}
	}
	for _, blk := range t.blocks {
		blk.EraseArgs(func(i int) bool { return t.parts[blk.Arg(i)] != nil && !blk.Arg(i).HasUses() })
	}
}

func (t *tuples) region(r *ir.Region) {
	for blk := range r.Blocks() {
		if blk.IsEntry() {
			t.arguments(blk)
		}
		for op := blk.First(); op != nil; {
			next := op.Next()
			t.op(op)
			op = next
		}
	}
}

// arguments puts arguments for the parts where tuples were.
func (t *tuples) arguments(blk *ir.Block) {
	for i := 0; i < blk.NumArgs(); i++ {
		a := blk.Arg(i)
		types := leaves(a.Type())
		if types == nil {
			continue
		}
		parts := []*ir.Value{}
		for k, p := range types {
			parts = append(parts, blk.InsertArg(i+1+k, p, a.Loc()))
		}
		t.parts[a] = parts
		i += len(types)
	}
	if slices.ContainsFunc(blk.Args(), isTuple) {
		t.blocks = append(t.blocks, blk)
	}
}

// op replaces an operation that has to do with tuples, and what is in it.
func (t *tuples) op(op *ir.Op) {
	if _, ok := op.Attr(interfaces.FunctionTypeAttr).(*ir.TypeAttr); ok && len(op.Regions()) == 1 {
		t.function(op)
	}
	switch {
	case op.Is(stablehlo.Tuple):
		t.parts[op.Result(0)] = t.flat(op.Operands().Values())
		t.done = append(t.done, op)
	case op.Is(stablehlo.GetTupleElement):
		t.element(op)
	case slices.ContainsFunc(op.Operands().Values(), isTuple) || slices.ContainsFunc(op.Results().Values(), isTuple):
		if op.Attr(ir.OperandSegmentsAttr) == nil && op.Attr(ir.ResultSegmentsAttr) == nil && t.known(op) {
			op = t.rebuilt(op)
		}
	}
	for _, r := range op.Regions() {
		t.region(r)
	}
}

// leaves are the types that a tuple is made of, or nil if the type is no tuple.
func leaves(t ir.Type) []ir.Type {
	tuple, ok := t.(*ir.TupleType)
	if !ok {
		return nil
	}
	return flatTypes(tuple.Types)
}

// flatTypes are types with those that tuples are made of in their place; they aren't nil.
func flatTypes(types []ir.Type) []ir.Type {
	out := []ir.Type{}
	for _, t := range types {
		if parts := leaves(t); parts != nil {
			out = append(out, parts...)
		} else {
			out = append(out, t)
		}
	}
	return out
}

func isTuple(v *ir.Value) bool { return leaves(v.Type()) != nil }

// known tells whether the parts of all tuples among the operands are.
func (t *tuples) known(op *ir.Op) bool {
	return !slices.ContainsFunc(op.Operands().Values(), func(v *ir.Value) bool { return isTuple(v) && t.parts[v] == nil })
}

// flat are values with the parts of tuples in their place; it isn't nil.
func (t *tuples) flat(values []*ir.Value) []*ir.Value {
	out := []*ir.Value{}
	for _, v := range values {
		if parts := t.parts[v]; parts != nil {
			out = append(out, parts...)
		} else {
			out = append(out, v)
		}
	}
	return out
}

// element takes a part of a tuple.
func (t *tuples) element(op *ir.Op) {
	v := stablehlo.GetTupleElementOp{Op: op}.OperandValue()
	parts, tuple := t.parts[v], v.Type().(*ir.TupleType)
	if parts == nil {
		return
	}
	at := int(intAttr(op, "index"))
	from := len(flatTypes(tuple.Types[:at]))
	part := parts[from : from+len(flatTypes(tuple.Types[at:at+1]))]
	if isTuple(op.Result(0)) {
		t.parts[op.Result(0)] = slices.Clip(part)
	} else {
		op.Result(0).ReplaceAllUsesWith(part[0])
	}
	t.done = append(t.done, op)
}

// rebuilt is an operation with the parts of tuples as operands and results, which takes over the regions.
func (t *tuples) rebuilt(op *ir.Op) *ir.Op {
	t.b.SetBefore(op)
	t.b.Loc = op.Loc()
	s := ir.OpState{Name: op.OpName(), Loc: op.Loc(), Operands: t.flat(op.Operands().Values()), Types: flatTypes(op.Results().Types()),
		Props: slices.Clone(op.Props()), Attrs: op.DiscardableAttrs()}
	for range op.Regions() {
		s.AddRegion()
	}
	n := t.b.Create(s)
	for i, r := range op.Regions() {
		n.RegionAt(i).TakeBody(r)
	}
	next := 0
	for _, v := range op.Results().Values() {
		if types := leaves(v.Type()); types != nil {
			t.parts[v] = n.Results().Values()[next : next+len(types) : next+len(types)]
			next += len(types)
			continue
		}
		v.ReplaceAllUsesWith(n.Result(next))
		next++
	}
	t.done = append(t.done, op)
	return n
}

// function gives a function the type that it has without tuples. Attributes of a tuple are those of each part.
func (t *tuples) function(fn *ir.Op) {
	old, ok := fn.Attr(interfaces.FunctionTypeAttr).(*ir.TypeAttr).Type.(*ir.FunctionType)
	if !ok {
		return
	}
	c := fn.Context()
	flat := c.Function(flatTypes(old.Inputs), flatTypes(old.Results))
	if flat == old {
		return
	}
	fn.SetAttr(interfaces.FunctionTypeAttr, c.TypeAttr(flat))
	for list, types := range map[string][]ir.Type{interfaces.ArgAttrs: old.Inputs, interfaces.ResAttrs: old.Results} {
		dicts, ok := fn.Attr(list).(*ir.ArrayAttr)
		if !ok || len(dicts.Elems) != len(types) {
			continue
		}
		var all []ir.Attribute
		for i, typ := range types {
			all = append(all, slices.Repeat(dicts.Elems[i:i+1], len(flatTypes([]ir.Type{typ})))...)
		}
		fn.SetAttr(list, c.ArrayAttr(all...))
	}
}
