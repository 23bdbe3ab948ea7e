package tosa

import "freehold/ir"

func inferSame(op *ir.Op) []ir.Type { return resultOf(op, shapeOf(op.Operand(0))) }

// inferArgMax leaves the axis out.
func inferArgMax(op *ir.Op) []ir.Type {
	in := shapeOf(ArgMaxOp{op}.Input())
	if in == nil {
		return resultOf(op, nil)
	}
	shape := make([]int64, 0, len(in))
	for i, d := range in {
		if int64(i) != Axis(op) {
			shape = append(shape, d)
		}
	}
	return resultOf(op, shape)
}

func inferGather(op *ir.Op) []ir.Type {
	values, indices := GatherOp{op}.Values(), GatherOp{op}.Indices()
	return resultOf(op, []int64{known(sizeAt(values, 0), sizeAt(indices, 0)), sizeAt(indices, 1), sizeAt(values, 2)})
}

func inferScatter(op *ir.Op) []ir.Type {
	values, indices, input := ScatterOp{op}.ValuesIn(), ScatterOp{op}.Indices(), ScatterOp{op}.Input()
	return resultOf(op, []int64{known(sizeAt(values, 0), sizeAt(indices, 0), sizeAt(input, 0)), sizeAt(values, 1),
		known(sizeAt(values, 2), sizeAt(input, 2))})
}

// inferPad adds what a constant list says: two numbers for each dimension.
func inferPad(op *ir.Op) []ir.Type {
	in := shapeOf(PadOp{op}.Input1())
	var padding []int64
	if d := ConstantOf(PadOp{op}.Padding()); d != nil {
		padding = Ints(d)
	}
	switch {
	case in == nil:
		if n := sizeAt(PadOp{op}.Padding(), 0); n != ir.Dynamic {
			return resultOf(op, unknown(int(n)))
		}
		return resultOf(op, nil)
	case len(padding) != 2*len(in):
		return resultOf(op, unknown(len(in)))
	}
	for i, d := range in {
		if d != ir.Dynamic {
			in[i] = d + padding[2*i] + padding[2*i+1]
		}
	}
	return resultOf(op, in)
}

func inferSlice(op *ir.Op) []ir.Type {
	shape := make([]int64, 0, 4)
	for _, d := range ints(op, "size") {
		if d < 0 {
			d = ir.Dynamic
		}
		shape = append(shape, d)
	}
	return resultOf(op, shape)
}

func inferTile(op *ir.Op) []ir.Type {
	multiples, in := ints(op, "multiples"), shapeOf(TileOp{op}.Input1())
	if in == nil {
		return resultOf(op, unknown(len(multiples)))
	}
	for i, d := range in {
		if d != ir.Dynamic && i < len(multiples) {
			in[i] = d * multiples[i]
		}
	}
	return resultOf(op, in)
}

// inferTranspose permutes the sizes, if the permutation is known or if they are all the same.
func inferTranspose(op *ir.Op) []ir.Type {
	in := shapeOf(TransposeOp{op}.Input1())
	if in == nil {
		if n := sizeAt(TransposeOp{op}.Perms(), 0); n != ir.Dynamic {
			return resultOf(op, unknown(int(n)))
		}
		return resultOf(op, nil)
	}
	same := true
	for _, d := range in {
		same = same && d == in[0]
	}
	if same {
		return resultOf(op, in)
	}
	perm := Permutation(op)
	shape := unknown(len(in))
	if len(perm) == len(in) && isPermutation(perm) {
		for i, d := range perm {
			shape[i] = in[d]
		}
	}
	return resultOf(op, shape)
}

// inferIf joins what the two branches yield.
func inferIf(op *ir.Op) []ir.Type {
	return inferYielded(op, op.RegionAt(0), op.RegionAt(1))
}

func inferWhile(op *ir.Op) []ir.Type { return inferYielded(op, op.RegionAt(1)) }

// inferYielded joins the types of what regions yield: sizes that differ are unknown.
func inferYielded(op *ir.Op, regions ...*ir.Region) []ir.Type {
	var out []ir.Type
	for i, r := range regions {
		for b := range r.Blocks() {
			t := b.Last()
			if t == nil || !t.Is(Yield) || t.NumOperands() != op.NumResults() {
				return nil
			}
			types := t.Operands().Types()
			if i == 0 {
				out = types
				continue
			}
			for k := range out {
				out[k] = join(op.Context(), out[k], types[k])
			}
		}
	}
	return out
}

// join is the type that says what both say.
func join(c *ir.Context, a, b ir.Type) ir.Type {
	x, ok := ir.ShapeOf(a)
	y, also := ir.ShapeOf(b)
	if !ok || !also || len(x) != len(y) {
		return c.UnrankedTensor(ir.ElementType(a))
	}
	shape := unknown(len(x))
	for i := range x {
		if x[i] == y[i] {
			shape[i] = x[i]
		}
	}
	return c.RankedTensor(shape, ir.ElementType(a))
}
