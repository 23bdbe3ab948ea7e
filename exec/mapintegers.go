package exec

import (
	"math/big"
	"slices"

	"freehold/ir"
)

// MapIntegers compiles an operation with several results that it computes from
// integers of one type, element by element where they are tensors or vectors. fn
// gets numbers from 0 up to 2^width; its results are cut to their widths.
func (c *Compiler) MapIntegers(op *ir.Op, fn func(args []*big.Int) []*big.Int) (Step, error) {
	regs, results := c.Regs(op.Operands().Values()), c.Regs(op.Results().Values())
	shaped := ir.IsShaped(op.Result(0).Type())
	elems, limits := make([]*Elem, len(results)), make([]*big.Int, len(results))
	for i, r := range op.Results().Values() {
		e := ElemOf(ir.ElementType(r.Type()))
		elems[i], limits[i] = e, new(big.Int).Lsh(big.NewInt(1), uint(Width(e.Type)))
	}
	compute := func(args []any) []any {
		out := make([]any, len(results))
		ints, i := integers(args)
		if i < len(args) { // poison
			for k := range out {
				out[k] = args[i]
			}
			return out
		}
		for k, v := range fn(ints) {
			v = v.Mod(v, limits[k])
			if out[k] = v; elems[k].Size != 0 {
				out[k] = v.Uint64()
			}
		}
		return out
	}
	return func(f *Frame) error {
		args := make([]any, len(regs))
		if !shaped {
			for i, r := range regs {
				args[i] = f.Get(r)
			}
			for k, v := range compute(args) {
				f.Set(results[k], v)
			}
			return nil
		}
		in := make([]*Tensor, len(regs))
		for i, r := range regs {
			in[i] = f.O[r.Object()].(*Tensor)
			if !slices.Equal(in[i].Sizes, in[0].Sizes) {
				return Findf(SizeMismatch, op, "operands have different sizes, %s and %s", shape(in[0].Sizes), shape(in[i].Sizes))
			}
		}
		out := make([]*Tensor, len(results))
		for k, r := range results {
			out[k] = NewTensor(elems[k], in[0].Sizes, false)
			f.O[r.Object()] = out[k]
		}
		n := in[0].Elements()
		for i := range n {
			for k, t := range in {
				args[k] = t.At(i)
			}
			for k, v := range compute(args) {
				out[k].SetAt(i, v)
			}
		}
		return f.M.Charge(op, n)
	}, nil
}

// Get returns what a register holds: a uint64, an object, or [PoisonValue].
func (f *Frame) Get(r Reg) any {
	switch {
	case !r.IsWord():
		return f.O[r.Object()]
	case f.P[r.Word()]:
		return poison{}
	}
	return f.W[r.Word()]
}

// Set makes a register hold what [Frame.Get] returns.
func (f *Frame) Set(r Reg, v any) {
	switch v := v.(type) {
	case poison:
		f.SetPoison(r)
	case uint64:
		if !r.IsWord() {
			f.O[r.Object()] = v
			return
		}
		f.W[r.Word()] = v
		f.P[r.Word()] = false
	default:
		f.O[r.Object()] = v
	}
}

// Signed returns a number from 0 up to 2^width as a signed one.
func Signed(v *big.Int, width int) *big.Int { return signed(v, width) }

// integers returns integers of any width, and the place of the first argument that is none.
func integers(args []any) ([]*big.Int, int) {
	ints := make([]*big.Int, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case uint64:
			ints[i] = new(big.Int).SetUint64(a)
		case *big.Int:
			ints[i] = a
		default:
			return nil, i
		}
	}
	return ints, len(args)
}
