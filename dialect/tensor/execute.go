package tensor

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// executeBitcast is how tensor.bitcast executes.
func executeBitcast(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	e, d := exec.ElemOf(ir.ElementType(op.Result(0).Type())), c.Object(op.Result(0))
	forward := c.Forward(op, 0, 0)
	return func(f *exec.Frame) error {
		err := forward(f)
		t := *f.O[d].(*exec.Tensor)
		t.Elem = e
		f.O[d] = t.Share()
		return err
	}, nil
}

// executeRank is how tensor.rank executes.
func executeRank(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	t, d := c.Object(RankOp{op}.Tensor()), c.Word(op.Result(0))
	return func(f *exec.Frame) error {
		f.W[d] = uint64(len(f.O[t].(*exec.Tensor).Sizes))
		return nil
	}, nil
}

// executeExtract is how tensor.extract executes.
func executeExtract(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	return c.Extract(op, ExtractOp{op}.Tensor(), op.Result(0), c.Words(op.OperandGroup(1))), nil
}

// executeInsert is how tensor.insert executes.
func executeInsert(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	return c.Insert(op, InsertOp{op}.Scalar(), op.OperandUse(1), op.Result(0), c.Words(op.OperandGroup(2))), nil
}

func elemOf(v *ir.Value) *exec.Elem { return exec.ElemOf(ir.ElementType(v.Type())) }

// fresh compiles making a tensor for the only result: with the sizes, and set by
// fill, unless that is nil.
func fresh(c *exec.Compiler, op *ir.Op, sizes func(f *exec.Frame) []int64, fill func(f *exec.Frame, t *exec.Tensor) error) exec.Step {
	e, d := elemOf(op.Result(0)), c.Object(op.Result(0))
	return func(f *exec.Frame) error {
		n := sizes(f)
		count, err := f.M.Elements(op, e, n)
		if err != nil {
			return err
		}
		t := exec.NewTensor(e, n, false)
		if fill != nil {
			if err := f.M.Charge(op, count); err != nil {
				return err
			}
			if err := fill(f, t); err != nil {
				return err
			}
		}
		f.O[d] = t
		return nil
	}
}

func executeCast(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	forward, d := c.Forward(op, 0, 0), c.Object(CastOp{op}.Source())
	t := ranked(op.Result(0).Type())
	return func(f *exec.Frame) error {
		if t != nil {
			if err := exec.CheckSizes(op, f.O[d].(*exec.Tensor).Sizes, t.Shape); err != nil {
				return err
			}
		}
		return forward(f)
	}, nil
}

func executeEmpty(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	return fresh(c, op, c.Shape(ranked(op.Result(0).Type()).Shape, op.Operands()), nil), nil
}

func executeDim(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	t, i, d := c.Object(DimOp{op}.Source()), c.Word(DimOp{op}.Index()), c.Word(op.Result(0))
	return func(f *exec.Frame) error {
		sizes := f.O[t].(*exec.Tensor).Sizes
		if f.W[i] >= uint64(len(sizes)) {
			return exec.Findf(exec.OutOfBounds, op, "dimension %d of a tensor of rank %d is asked for", int64(f.W[i]), len(sizes))
		}
		f.W[d] = uint64(sizes[f.W[i]])
		return nil
	}, nil
}

func executeExtractSlice(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	o := ExtractSliceOp{op}
	slice, src, d, dropped := c.Slice(op), c.Object(ExtractSliceOp{op}.Source()), c.Object(op.Result(0)), o.DroppedDims()
	return func(f *exec.Frame) error {
		offsets, sizes, strides := slice(f)
		v, err := f.O[src].(*exec.Tensor).View().Sub(op, offsets, sizes, strides)
		if err != nil {
			return err
		}
		v.Sizes, v.Strides = exec.Without(v.Sizes, v.Strides, dropped)
		t, err := exec.TensorOfView(op, v)
		if err == nil {
			err = f.M.Charge(op, t.Elements())
		}
		f.O[d] = t
		return err
	}, nil
}

func executeInsertSlice(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	o := InsertSliceOp{op}
	take, d := c.Take(op.OperandUse(1)), c.Object(op.Result(0))
	insert := insertSlice(c, op, o.DroppedDims())
	return func(f *exec.Frame) error {
		t := take(f)
		f.O[d] = t
		return insert(f, t)
	}, nil
}

// insertSlice compiles copying operand 0 into a slice of a tensor.
func insertSlice(c *exec.Compiler, op *ir.Op, dropped []bool) func(f *exec.Frame, dst *exec.Tensor) error {
	slice, src := c.Slice(op), c.Object(InsertSliceOp{op}.Source())
	return func(f *exec.Frame, dst *exec.Tensor) error {
		s := f.O[src].(*exec.Tensor)
		offsets, sizes, strides := slice(f)
		v, err := dst.View().Sub(op, offsets, sizes, strides)
		if err != nil {
			return err
		}
		if err := f.M.Charge(op, s.Elements()); err != nil {
			return err
		}
		v.Sizes, v.Strides = exec.Without(v.Sizes, v.Strides, dropped)
		return exec.CopyView(op, v, s.View())
	}
}

// executeParallelInsert changes the tensor that the iterations share.
func executeParallelInsert(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	insert, d := insertSlice(c, op, InsertSliceOp{op}.DroppedDims()), c.Object(ParallelInsertSliceOp{op}.Dest())
	return func(f *exec.Frame) error { return insert(f, f.O[d].(*exec.Tensor)) }, nil
}

func executeConcat(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	dim := op.Attr("dim").(*ir.IntegerAttr).Value
	var regs []int
	for i := range op.NumOperands() {
		regs = append(regs, c.Object(op.Operand(i)))
	}
	return fresh(c, op, func(f *exec.Frame) []int64 {
		sizes := append([]int64(nil), f.O[regs[0]].(*exec.Tensor).Sizes...)
		for _, r := range regs[1:] {
			sizes[dim] += f.O[r].(*exec.Tensor).Sizes[dim]
		}
		return sizes
	}, func(f *exec.Frame, t *exec.Tensor) error {
		if err := exec.CheckSizes(op, t.Sizes, ranked(op.Result(0).Type()).Shape); err != nil {
			return err
		}
		offsets, ones := make([]int64, len(t.Sizes)), make([]int64, len(t.Sizes))
		for i := range ones {
			ones[i] = 1
		}
		for _, r := range regs {
			s := f.O[r].(*exec.Tensor)
			want := append([]int64(nil), t.Sizes...)
			want[dim] = s.Sizes[dim]
			if err := exec.CheckSizes(op, s.Sizes, want); err != nil {
				return err
			}
			v, err := t.View().Sub(op, offsets, s.Sizes, ones)
			if err == nil {
				err = exec.CopyView(op, v, s.View())
			}
			if err != nil {
				return err
			}
			offsets[dim] += s.Sizes[dim]
		}
		return nil
	}), nil
}

func executeFromElements(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	regs := c.Regs(op.Operands().Values())
	return fresh(c, op, c.Shape(ranked(op.Result(0).Type()).Shape, nil), func(f *exec.Frame, t *exec.Tensor) error {
		for i, r := range regs {
			t.Set(f, int64(i), r)
		}
		return nil
	}), nil
}

func executeSplat(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	shape, _ := ir.ShapeOf(op.Result(0).Type())
	r := c.Reg(SplatOp{op}.Input())
	return fresh(c, op, c.Shape(shape, op.OperandGroup(1)), func(f *exec.Frame, t *exec.Tensor) error {
		t.Fill(f, r)
		return nil
	}), nil
}

// elementRegion compiles a region that yields an element for given indices.
func elementRegion(c *exec.Compiler, op *ir.Op) (at func(f *exec.Frame, idx []int64) error, res exec.Reg, constant bool, err error) {
	res = c.NewWord()
	if elemOf(op.Result(0)).Size == 0 {
		res = c.NewObject()
	}
	body, err := c.Region(op.RegionAt(0), []exec.Reg{res})
	if err != nil {
		return nil, res, false, err
	}
	constant = true
	var args []int
	for _, a := range op.BodyBlock(0).Args() {
		args = append(args, c.Word(a))
		constant = constant && !a.HasUses()
	}
	return func(f *exec.Frame, idx []int64) error {
		for i, a := range args {
			if i < len(idx) {
				f.W[a] = uint64(idx[i])
			}
		}
		return body.Run(f)
	}, res, constant, nil
}

func executeGenerate(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	at, res, _, err := elementRegion(c, op)
	if err != nil {
		return nil, err
	}
	return fresh(c, op, c.Shape(ranked(op.Result(0).Type()).Shape, op.Operands()), func(f *exec.Frame, t *exec.Tensor) error {
		return exec.Each(t.Sizes, func(i int64, idx []int64) error {
			if err := at(f, idx); err != nil {
				return err
			}
			t.Set(f, i, res)
			return nil
		})
	}), nil
}

func executePad(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	at, res, constant, err := elementRegion(c, op)
	if err != nil {
		return nil, err
	}
	low, high := c.Sizes(interfaces.MixedList(op, 1, staticLow)), c.Sizes(interfaces.MixedList(op, 2, staticHigh))
	src := c.Object(PadOp{op}.Source())
	static := ranked(op.Result(0).Type()).Shape
	return fresh(c, op, func(f *exec.Frame) []int64 {
		sizes := append([]int64(nil), f.O[src].(*exec.Tensor).Sizes...)
		lo, hi := low(f), high(f)
		for i := range sizes {
			sizes[i] += lo[i] + hi[i]
		}
		return sizes
	}, func(f *exec.Frame, t *exec.Tensor) error {
		s, lo := f.O[src].(*exec.Tensor), low(f)
		if err := exec.CheckSizes(op, t.Sizes, static); err != nil {
			return err
		}
		// The source becomes a slice of the result, which has no room for the rest of it.
		for d, hi := range high(f) {
			if lo[d] < 0 || hi < 0 {
				return exec.Findf(exec.SizeMismatch, op, "dimension %d is padded by %d and %d elements", d, lo[d], hi)
			}
		}
		padded := constant
		if constant {
			if err := at(f, nil); err != nil {
				return err
			}
		}
		return exec.Each(t.Sizes, func(i int64, idx []int64) error {
			j, inside := int64(0), true
			for d, x := range idx {
				x -= lo[d]
				inside = inside && x >= 0 && x < s.Sizes[d]
				j = j*s.Sizes[d] + x
			}
			if inside {
				t.CopyElement(i, s, j)
				return nil
			}
			if !padded {
				if err := at(f, idx); err != nil {
					return err
				}
			}
			t.Set(f, i, res)
			return nil
		})
	}), nil
}

// reshaped compiles giving the elements of operand 0 other sizes.
func reshaped(c *exec.Compiler, op *ir.Op, sizes func(f *exec.Frame, t *exec.Tensor) ([]int64, error)) exec.Step {
	forward, d := c.Forward(op, 0, 0), c.Object(op.Result(0))
	t := ranked(op.Result(0).Type())
	return func(f *exec.Frame) error {
		if err := forward(f); err != nil {
			return err
		}
		src := f.O[d].(*exec.Tensor)
		n, err := sizes(f, src)
		if err == nil {
			err = exec.CheckNotNegative(op, n)
		}
		if err != nil {
			return err
		}
		if t != nil {
			if err := exec.CheckSizes(op, n, t.Shape); err != nil {
				return err
			}
		}
		out := src.Reshaped(n)
		if out.Elements() != src.Elements() {
			return exec.Findf(exec.SizeMismatch, op, "%d elements are reshaped to %d", src.Elements(), out.Elements())
		}
		f.O[d] = out
		return nil
	}
}

func executeReshape(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	shape := c.Object(ReshapeOp{op}.Shape())
	return reshaped(c, op, func(f *exec.Frame, _ *exec.Tensor) ([]int64, error) {
		return f.O[shape].(*exec.Tensor).Integers(op)
	}), nil
}

func executeExpand(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	sizes, groups := c.Sizes(interfaces.MixedList(op, 1, staticOutputShape)), exec.Groups(op.Attr("reassociation"))
	return reshaped(c, op, func(f *exec.Frame, t *exec.Tensor) ([]int64, error) {
		n := sizes(f)
		for d, g := range groups {
			total := int64(1)
			for _, k := range g {
				total *= n[k]
			}
			if total != t.Sizes[d] {
				return nil, exec.Findf(exec.SizeMismatch, op, "dimension %d of size %d is split into %d elements", d, t.Sizes[d], total)
			}
		}
		return n, nil
	}), nil
}

func executeCollapse(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	groups := exec.Groups(op.Attr("reassociation"))
	return reshaped(c, op, func(_ *exec.Frame, t *exec.Tensor) ([]int64, error) {
		out := make([]int64, len(groups))
		for i, g := range groups {
			out[i] = 1
			for _, d := range g {
				out[i] *= t.Sizes[d]
			}
		}
		return out, nil
	}), nil
}
