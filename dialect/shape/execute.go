package shape

import (
	"slices"

	"freehold/exec"
	"freehold/ir"
)

// A shape is executed as the tensor of its extents, a size as a number, and a
// witness as the truth of its condition. Programs must not make invalid shapes or
// sizes.

// executeBroadcast is how shape.broadcast executes.
var executeBroadcast exec.Model = values(func(op *ir.Op, args []any) (any, error) {
	out, ok := broadcastExtents(args)
	if !ok {
		return nil, exec.Findf(exec.SizeMismatch, op, "the shapes can't be broadcast")
	}
	return newShape(out), nil
})

// executeIsBroadcastable is how shape.is_broadcastable, shape.cstr_broadcastable execute.
var executeIsBroadcastable exec.Model = values(func(_ *ir.Op, args []any) (any, error) {
	_, ok := broadcastExtents(args)
	return truth(ok), nil
})

// executeShapeEq is how shape.shape_eq, shape.cstr_eq execute.
var executeShapeEq exec.Model = values(func(_ *ir.Op, args []any) (any, error) {
	same := true
	for _, a := range args {
		same = same && slices.Equal(extentsOf(a), extentsOf(args[0]))
	}
	return truth(same), nil
})

// executeAny is how shape.any executes.
var executeAny exec.Model = values(func(op *ir.Op, args []any) (any, error) {
	if len(args) == 0 {
		return nil, exec.Findf(exec.Undefined, op, "none of no shapes is asked for")
	}
	for _, a := range args {
		if !slices.Equal(extentsOf(a), extentsOf(args[0])) {
			return nil, exec.Findf(exec.Undefined, op, "one of several shapes is asked for that are not the same")
		}
	}
	return args[0], nil
})

// executeMeet is how shape.meet executes.
var executeMeet exec.Model = values(func(op *ir.Op, args []any) (any, error) {
	same := args[0] == args[1]
	if _, isShape := args[0].(*exec.Tensor); isShape {
		same = slices.Equal(extentsOf(args[0]), extentsOf(args[1]))
	}
	if !same {
		return nil, exec.Findf(exec.SizeMismatch, op, "the operands have nothing in common")
	}
	return args[0], nil
})

// executeAssumingAll is how shape.assuming_all executes.
var executeAssumingAll exec.Model = values(func(_ *ir.Op, args []any) (any, error) {
	all := true
	for _, a := range args {
		all = all && a.(uint64) != 0
	}
	return truth(all), nil
})

// executeConcat is how shape.concat executes.
var executeConcat exec.Model = values(func(_ *ir.Op, args []any) (any, error) {
	return newShape(append(append([]int64(nil), extentsOf(args[0])...), extentsOf(args[1])...)), nil
})

// executeNumElements is how shape.num_elements executes.
var executeNumElements exec.Model = values(func(_ *ir.Op, args []any) (any, error) {
	n := int64(1)
	for _, x := range extentsOf(args[0]) {
		n *= x
	}
	return uint64(n), nil
})

// executeWithShape is how shape.with_shape executes.
var executeWithShape exec.Model = values(func(op *ir.Op, args []any) (any, error) {
	if !slices.Equal(sizesOf(args[0]), extentsOf(args[1])) {
		return nil, exec.Findf(exec.SizeMismatch, op, "the value has another shape")
	}
	return args[0], nil
})

// executeFromExtents is how shape.from_extents executes.
var executeFromExtents exec.Model = values(func(_ *ir.Op, args []any) (any, error) {
	out := make([]int64, len(args))
	for i, a := range args {
		out[i] = int64(a.(uint64))
	}
	return newShape(out), nil
})

// executeDebugPrint is how shape.debug_print executes.
func executeDebugPrint(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	src, d := c.Reg(DebugPrintOp{op}.Input()), c.Reg(op.Result(0))
	return func(f *exec.Frame) error {
		v := f.Get(src)
		f.M.Output(op, describe(v)+"\n")
		f.Set(d, v)
		return nil
	}, nil
}

// example returns a value of one of the dialect's types.
func example(t *ir.DialectType, random func(limit int) int) any {
	switch t.Mnemonic {
	case "shape":
		extents := make([]int64, random(4))
		for i := range extents {
			extents[i] = int64(1 + random(4))
		}
		return newShape(extents)
	case "size":
		return uint64(random(5))
	case "witness":
		return uint64(1)
	case "value_shape":
		return newShape([]int64{int64(random(5))})
	}
	return nil
}

// values compiles an operation of one result that it computes from its operands.
// A list of extents must be as long as the result's type says.
func values(fn func(op *ir.Op, args []any) (any, error)) exec.Model {
	return func(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
		regs, d := c.Regs(op.Operands().Values()), c.Reg(op.Result(0))
		static, isExtents := ir.ShapeOf(op.Result(0).Type())
		return func(f *exec.Frame) error {
			args := make([]any, len(regs))
			for i, r := range regs {
				args[i] = f.Get(r)
				if t, ok := args[i].(*exec.Tensor); ok {
					t.Share()
				}
			}
			v, err := fn(op, args)
			if err != nil {
				return err
			}
			if t, ok := v.(*exec.Tensor); ok && isExtents {
				if err := exec.CheckSizes(op, t.Sizes, static); err != nil {
					return err
				}
			}
			f.Set(d, v)
			return nil
		}, nil
	}
}

func sizes(s exec.Scalar) exec.Model {
	return values(func(op *ir.Op, args []any) (any, error) {
		if s.Check != nil {
			if wrong := s.Check(args[0].(uint64), args[1].(uint64)); wrong != nil {
				return nil, exec.Findf(wrong.Kind, op, "%s", wrong.Message)
			}
		}
		return s.Apply(args...), nil
	})
}

// shapesOrSizes is sizes, extent by extent where operands are shapes.
func shapesOrSizes(s exec.Scalar) exec.Model {
	return values(func(op *ir.Op, args []any) (any, error) {
		if _, isShape := args[0].(*exec.Tensor); !isShape {
			return s.Apply(args...), nil
		}
		x, y := extentsOf(args[0]), extentsOf(args[1])
		if len(x) != len(y) {
			return nil, exec.Findf(exec.SizeMismatch, op, "the shapes have different ranks")
		}
		out := make([]int64, len(x))
		for i := range x {
			out[i] = int64(s.Apply(uint64(x[i]), uint64(y[i])).(uint64))
		}
		return newShape(out), nil
	})
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func newShape(extents []int64) *exec.Tensor {
	t := exec.NewTensor(exec.ElemOf(ir.Index), []int64{int64(len(extents))}, false)
	for i, n := range extents {
		t.SetAt(int64(i), uint64(n))
	}
	return t.Share()
}

// extentsOf returns those of a shape. Undefined ones are 0.
func extentsOf(v any) []int64 {
	t := v.(*exec.Tensor)
	out := make([]int64, t.Elements())
	for i := range out {
		w, _ := t.Word(int64(i))
		out[i] = int64(w)
	}
	return out
}

// sizesOf returns the sizes of a shaped value.
func sizesOf(v any) []int64 {
	if m, ok := v.(*exec.MemRef); ok {
		return m.Sizes
	}
	return v.(*exec.Tensor).Sizes
}

func extent(op *ir.Op, list []int64, index any) (any, error) {
	i := index.(uint64)
	if i >= uint64(len(list)) {
		return nil, exec.Findf(exec.OutOfBounds, op, "extent %d of a shape of rank %d is asked for", int64(i), len(list))
	}
	return uint64(list[i]), nil
}

// broadcastExtents returns the shape to which all shapes can be broadcast, and
// whether there is one.
func broadcastExtents(shapes []any) ([]int64, bool) {
	var out []int64
	for _, s := range shapes {
		x := extentsOf(s)
		for len(out) < len(x) {
			out = append([]int64{1}, out...)
		}
		lead := len(out) - len(x)
		for i, n := range x {
			switch {
			case out[lead+i] == 1:
				out[lead+i] = n
			case n != 1 && n != out[lead+i]:
				return nil, false
			}
		}
	}
	return out, true
}

func describe(v any) string {
	if t, ok := v.(*exec.Tensor); ok {
		text := "["
		for i, n := range extentsOf(t) {
			if i > 0 {
				text += ", "
			}
			text += exec.FormatInt(n)
		}
		return text + "]"
	}
	return exec.FormatInt(int64(v.(uint64)))
}

func executeSplit(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	src, index := c.Object(SplitAtOp{op}.OperandValue()), c.Reg(SplitAtOp{op}.Index())
	head, tail := c.Object(op.Result(0)), c.Object(op.Result(1))
	return func(f *exec.Frame) error {
		x, i := extentsOf(f.O[src]), int64(f.Get(index).(uint64))
		n := int64(len(x))
		if i < 0 {
			i += n
		}
		if i < 0 || i > n {
			return exec.Findf(exec.OutOfBounds, op, "a shape of rank %d is split at %d", n, i)
		}
		f.O[head], f.O[tail] = newShape(x[:i]), newShape(x[i:])
		return nil
	}, nil
}

func executeAssuming(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	witness := c.Reg(AssumingOp{op}.Witness())
	body, err := c.Region(op.RegionAt(0), c.Regs(op.Results().Values()))
	if err != nil {
		return nil, err
	}
	return func(f *exec.Frame) error {
		if f.Get(witness) == any(uint64(0)) {
			return exec.Findf(exec.Assertion, op, "what is assumed does not hold")
		}
		return body.Run(f)
	}, nil
}

func executeReduce(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	src, args := c.Object(ReduceOp{op}.Shape()), op.BodyBlock(0).Args()
	totals := args[2:]
	enter := c.MoveTo(op.Operands()[1:], totals)
	body, err := c.Region(op.RegionAt(0), c.Regs(totals))
	if err != nil {
		return nil, err
	}
	leave := c.MoveRegs(c.Regs(totals), c.Regs(op.Results().Values()))
	index, size := c.Reg(args[0]), c.Reg(args[1])
	return func(f *exec.Frame) error {
		if err := enter(f); err != nil {
			return err
		}
		for i, n := range extentsOf(f.O[src]) {
			f.Set(index, uint64(i))
			f.Set(size, uint64(n))
			if err := body.Run(f); err != nil {
				return err
			}
		}
		return leave(f)
	}, nil
}
