package builtin

import (
	"math/big"

	"freehold/exec"
	"freehold/ir"
)

// executeCast passes values on in another form: a number as one of the same bits,
// a tensor as a buffer or the other way round, everything else as it is, if the
// types are kept in the same way.
func executeCast(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	if op.NumOperands() != op.NumResults() {
		return nil, exec.Unsupported(op, "it splits or joins values")
	}
	var steps []exec.Step
	for i := range op.NumOperands() {
		step, err := castOne(c, op, i)
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	return exec.Sequence(steps...), nil
}

func castOne(c *exec.Compiler, op *ir.Op, i int) (exec.Step, error) {
	from, to := op.Operand(i).Type(), op.Result(i).Type()
	src, dst := c.Reg(op.Operand(i)), c.Reg(op.Result(i))
	switch {
	case ir.IsShaped(from) && ir.IsShaped(to):
		if ir.ElementType(from).String() != ir.ElementType(to).String() {
			return nil, exec.Unsupported(op, "it changes the type of elements")
		}
		if !ir.CompatibleShapes(from, to) {
			return nil, exec.Unsupported(op, "it changes the shape")
		}
		switch {
		case ir.IsMemRef(from) && !ir.IsMemRef(to):
			return func(f *exec.Frame) error {
				m := f.Get(src).(*exec.MemRef)
				if err := m.Access(op); err != nil {
					return err
				}
				if err := f.M.Charge(op, m.Elements()); err != nil {
					return err
				}
				t, err := exec.TensorOfView(op, m.View())
				f.Set(dst, t)
				return err
			}, nil
		case !ir.IsMemRef(from) && ir.IsMemRef(to):
			return func(f *exec.Frame) error {
				t := f.Get(src).(*exec.Tensor)
				if err := f.M.Charge(op, t.Elements()); err != nil {
					return err
				}
				t = t.Clone()
				f.Set(dst, &exec.MemRef{Alloc: f.M.AdoptTensor(op, t, to), Elem: t.Elem, Sizes: t.Sizes, Strides: exec.RowMajor(t.Sizes)})
				return nil
			}, nil
		}
		return c.Forward(op, i, i), nil
	case isNumber(from) && isNumber(to):
		if ir.IsIntOrIndex(from) && ir.IsIntOrIndex(to) {
			return resize(op, from, to, src, dst), nil
		}
		if exec.Width(from) != exec.Width(to) {
			return nil, exec.Unsupported(op, "it changes the width of a number")
		}
		return func(f *exec.Frame) error {
			v := f.Get(src)
			if v != exec.PoisonValue {
				v = exec.FromBits(to, exec.BitsOf(from, v))
			}
			f.Set(dst, v)
			return nil
		}, nil
	case isNumber(from) == isNumber(to) && ir.IsShaped(from) == ir.IsShaped(to):
		return c.Forward(op, i, i), nil
	}
	// A value in an unknown form is kept as it is. Of types that operations compute with, such as complex numbers, there is just one form.
	if _, form := to.(*ir.DialectType); !form || dst.IsWord() {
		back, ok := op.Operand(i).DefiningOp(), false
		if back != nil && back.Name() == op.Name() {
			ok = back.Operand(op.Operand(i).Index()).Type() == to
		}
		if !ok {
			return nil, exec.Unsupported(op, "nothing is known about values of one of its types")
		}
	}
	return func(f *exec.Frame) error {
		f.Set(dst, f.Get(src))
		return nil
	}, nil
}

// resize passes on an integer, which must fit.
func resize(op *ir.Op, from, to ir.Type, src, dst exec.Reg) exec.Step {
	w, n := exec.Width(from), exec.Width(to)
	tooWide := func() error {
		return exec.Findf(exec.Undefined, op, "a value does not fit the type that it is cast to")
	}
	if exec.IsWord(from) && exec.IsWord(to) {
		there, back := exec.Resize(w, n, true), exec.Resize(n, w, true)
		return func(f *exec.Frame) error {
			v := f.Get(src)
			out := there.Apply(v)
			if v != exec.PoisonValue && back.Apply(out) != v {
				return tooWide()
			}
			f.Set(dst, out)
			return nil
		}
	}
	limit := new(big.Int).Lsh(big.NewInt(1), uint(n))
	return func(f *exec.Frame) error {
		v := f.Get(src)
		if v != exec.PoisonValue {
			number := exec.Signed(exec.BitsOf(from, v), w)
			bits := new(big.Int).Mod(number, limit)
			if exec.Signed(bits, n).Cmp(number) != 0 {
				return tooWide()
			}
			v = exec.FromBits(to, bits)
		}
		f.Set(dst, v)
		return nil
	}
}

func isNumber(t ir.Type) bool { return ir.IsIntOrIndex(t) || ir.IsFloat(t) }
