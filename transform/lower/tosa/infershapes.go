package tosa

import (
	"slices"

	"freehold/dialect/tensor"
	"freehold/dialect/tosa"
	"freehold/ir"
)

// InferShapes gives results of operations of tosa in op the shapes that follow from those of operands, where types say
// less. Users that aren't operations of tosa, for whom a type may be all that they are made for, get the old one by a
// cast. It is tosa-infer-shapes, and tells whether it changed anything. Linear time, but in loops: there a type may
// change as often as it has unknown sizes.
func InferShapes(op *ir.Op) (changed bool) {
	var types refinement
	for _, r := range op.Regions() {
		types.region(r)
	}
	types.commit(op.Context())
	return len(types) > 0
}

// refined is a value with a type that says more than the old one.
type refined struct {
	value *ir.Value
	old   ir.Type
}

// refinement lists the values whose types are changed, in order.
type refinement []refined

func (r *refinement) set(v *ir.Value, t ir.Type) {
	if v.Type() != t {
		*r = append(*r, refined{v, v.Type()})
		v.SetType(t)
	}
}

// undo gives values their old types again.
func (r *refinement) undo() {
	for _, c := range slices.Backward(*r) {
		c.value.SetType(c.old)
	}
	*r = nil
}

// commit casts values for users that the types aren't inferred of.
func (r refinement) commit(c *ir.Context) {
	b := ir.NewBuilder(c)
	for _, change := range r {
		uses := slices.DeleteFunc(change.value.Uses(), func(u *ir.Use) bool { return isTosa(u.Owner()) })
		if len(uses) == 0 {
			continue
		}
		b.SetAfterValue(change.value)
		if op := firstUser(uses); op != nil {
			b.SetBefore(op)
		}
		b.Loc = change.value.Loc()
		cast := tensor.NewCast(b, change.old, change.value)
		for _, use := range uses {
			use.Set(cast)
		}
	}
}

// firstUser is the first of the operations that use a value, or nil if they are in different blocks.
func firstUser(uses []*ir.Use) *ir.Op {
	first := uses[0].Owner()
	for _, u := range uses[1:] {
		op := u.Owner()
		if op.Block() != first.Block() {
			return nil
		}
		if op.IsBefore(first) {
			first = op
		}
	}
	return first
}

// isTosa tells whether an operation is one of tosa: they take any types that fit each other.
func isTosa(op *ir.Op) bool {
	d := op.Dialect()
	return d != nil && d.Name == "tosa"
}

func (r *refinement) region(region *ir.Region) {
	for b := range region.Blocks() {
		for op := range b.Ops() {
			infer, ok := tosa.ShapeInference.Of(op)
			if !ok || !isTosa(op) {
				continue
			}
			switch {
			case op.Is(tosa.CondIf):
				r.branches(op)
			case op.Is(tosa.WhileLoop):
				r.loop(op)
			}
			types := infer(op)
			for i, v := range op.Results().Values() {
				if i < len(types) {
					r.set(v, both(op.Context(), v.Type(), types[i]))
				}
			}
		}
	}
}

// branches gives the arguments of both regions the shapes of what is passed.
func (r *refinement) branches(op *ir.Op) {
	for _, region := range op.Regions() {
		first := region.Entry()
		if first == nil || first.NumArgs()+1 != op.NumOperands() {
			return
		}
		for i, v := range op.Operands().Values()[1:] {
			if t := ranked(v.Type()); t != nil {
				arg := first.Arg(i)
				r.set(arg, op.Context().RankedTensor(t.Shape, ir.ElementType(arg.Type())))
			}
		}
		r.region(region)
	}
}

// loop finds the shapes that values of a loop have in each iteration: those that are passed, as far as iterations
// yield such ones again.
func (r *refinement) loop(op *ir.Op) {
	types := op.Operands().Types()
	body := op.RegionAt(1)
	for again := true; again; {
		var trial refinement
		if !trial.enter(body, types) {
			trial.undo()
			return
		}
		next := slices.Clone(types)
		for b := range body.Blocks() {
			if y := b.Last(); y != nil && y.Is(tosa.Yield) && y.NumOperands() == len(types) {
				for i, v := range y.Operands().Values() {
					next[i] = either(op.Context(), next[i], v.Type())
				}
			}
		}
		trial.undo()
		again = !slices.Equal(next, types)
		types = next
	}
	for _, region := range op.Regions() {
		r.enter(region, types)
	}
}

// enter gives the arguments of a region types.
func (r *refinement) enter(region *ir.Region, types []ir.Type) bool {
	first := region.Entry()
	if first == nil || first.NumArgs() != len(types) {
		return false
	}
	for i, t := range types {
		r.set(first.Arg(i), t)
	}
	r.region(region)
	return true
}

// both is the type that says what two say about the same value; the first, if they contradict each other.
func both(c *ir.Context, t, inferred ir.Type) ir.Type {
	a, b := ranked(t), ranked(inferred)
	switch {
	case b == nil:
		return t
	case a == nil:
		if !ir.IsTensor(t) {
			return t
		}
		return c.RankedTensor(b.Shape, ir.ElementType(t))
	case len(a.Shape) != len(b.Shape):
		return t
	}
	shape := slices.Clone(a.Shape)
	for i, d := range b.Shape {
		switch {
		case shape[i] == ir.Dynamic:
			shape[i] = d
		case d != ir.Dynamic && d != shape[i]:
			return t
		}
	}
	return c.WithShape(a, shape)
}

// either is the type that says what two say that may be that of a value.
func either(c *ir.Context, t, u ir.Type) ir.Type {
	a, b := ranked(t), ranked(u)
	if t == u || !ir.IsTensor(t) {
		return t
	}
	if a == nil || b == nil || len(a.Shape) != len(b.Shape) {
		return c.UnrankedTensor(ir.ElementType(t))
	}
	shape := slices.Clone(a.Shape)
	for i, d := range b.Shape {
		if d != shape[i] {
			shape[i] = ir.Dynamic
		}
	}
	return c.WithShape(a, shape)
}
