package vector

import (
	"math"
	"math/big"
	"sync"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// Scalable vectors are executed with a scale of 1: as if they were fixed. Elements
// of a vector that are poison are undefined; they may be moved and computed with.

// computeFMA is how vector.fma computes an element.
func computeFMA(_ *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
	t, ok := in[0].(*ir.FloatType)
	if !ok {
		return exec.Scalar{}, false
	}
	return exec.FFMA(t), true
}

// executeTranspose is how vector.transpose executes.
var executeTranspose exec.Model = pick(func(op *ir.Op, idx []int64) (operand int, from []int64) {
	perm := interfaces.StaticInts(op, "permutation")
	from = make([]int64, len(idx))
	for i, p := range perm {
		from[p] = idx[i]
	}
	return 0, from
})

// executeShapeCast is how vector.shape_cast executes.
func executeShapeCast(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	return permute(c, op, 0, func(i int64) (int, int64) { return 0, i }), nil
}

// executeShuffle is how vector.shuffle executes.
var executeShuffle exec.Model = pick(func(op *ir.Op, idx []int64) (int, []int64) {
	first := int64(1)
	if s := vec(ShuffleOp{op}.V1().Type()).Shape; len(s) > 0 {
		first = s[0]
	}
	k := intsOf(op.Attr("mask"))[idx[0]]
	operand := 0
	if k == poisonPosition {
		return 0, nil
	}
	if k >= first {
		operand, k = 1, k-first
	}
	from := append([]int64{k}, idx[1:]...)
	return operand, from[:len(vec(op.Operand(operand).Type()).Shape)]
})

// executeInterleave is how vector.interleave executes.
var executeInterleave exec.Model = pick(func(op *ir.Op, idx []int64) (int, []int64) {
	last := len(idx) - 1
	from := append([]int64(nil), idx...)
	from[last] /= 2
	return int(idx[last] % 2), from[:len(vec(InterleaveOp{op}.LHS().Type()).Shape)]
})

// executeExtractStridedSlice is how vector.extract_strided_slice executes.
var executeExtractStridedSlice exec.Model = pick(func(op *ir.Op, idx []int64) (int, []int64) {
	from := append([]int64(nil), idx...)
	strides := intsOf(op.Attr("strides"))
	for i, o := range intsOf(op.Attr("offsets")) {
		from[i] = o + from[i]*strides[i]
	}
	return 0, from
})

// executeScalableExtract is how vector.scalable.extract executes.
func executeScalableExtract(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	pos := op.Attr("pos").(*ir.IntegerAttr).Value
	return permute(c, op, 0, func(i int64) (int, int64) { return 0, i + pos }), nil
}

// executeVScale is how vector.vscale executes.
func executeVScale(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	c.Constant(op.Result(0), uint64(1))
	return nil, nil
}

// executeStep is how vector.step executes.
func executeStep(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	return executeOnce(c, op, func() *exec.Tensor {
		t := newVector(op.Result(0).Type())
		for i := range t.Elements() {
			t.SetAt(i, uint64(i))
		}
		return t
	}), nil
}

// executeOnce makes the vector that an operation returns each time, when it is first executed.
func executeOnce(c *exec.Compiler, op *ir.Op, build func() *exec.Tensor) exec.Step {
	d := c.Object(op.Result(0))
	is := sync.OnceValue(func() *exec.Tensor { return build().Share() })
	return func(f *exec.Frame) error {
		if err := chargeElements(f, op, 0); err != nil {
			return err
		}
		f.O[d] = is()
		return nil
	}
}

// chargeElements counts a step for each element of the vector that is a result of an operation.
func chargeElements(f *exec.Frame, op *ir.Op, result int) error {
	n, ok := ir.NumElements(vec(op.Result(result).Type()).Shape)
	if !ok {
		n = math.MaxInt64 / 2 // more than can be counted, and than any limit
	}
	return f.M.Charge(op, n)
}

// executeConstantMask is how vector.constant_mask executes.
func executeConstantMask(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	return executeOnce(c, op, func() *exec.Tensor { return mask(op, intsOf(op.Attr("mask_dim_sizes"))) }), nil
}

// executeCreateMask is how vector.create_mask executes.
func executeCreateMask(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	words, d := c.Words(op.Operands()), c.Object(op.Result(0))
	return func(f *exec.Frame) error {
		if err := chargeElements(f, op, 0); err != nil {
			return err
		}
		bounds := make([]int64, len(words))
		for i, w := range words {
			bounds[i] = int64(f.W[w])
		}
		f.O[d] = mask(op, bounds)
		return nil
	}, nil
}

func intsOf(a ir.Attribute) []int64 {
	arr, _ := a.(*ir.ArrayAttr)
	if arr == nil {
		return nil
	}
	out := make([]int64, len(arr.Elems))
	for i, e := range arr.Elems {
		if v, ok := e.(*ir.IntegerAttr); ok {
			out[i] = v.Value
		}
	}
	return out
}

// newVector returns a vector of a type with undefined elements.
func newVector(t ir.Type) *exec.Tensor {
	v := vec(t)
	return exec.NewTensor(exec.ElemOf(v.Elem), v.Shape, false)
}

func offset(sizes, idx []int64) int64 {
	p := int64(0)
	for i, n := range sizes {
		p = p*n + idx[i]
	}
	return p
}

// permute compiles an operation each of whose elements (of result r) is the one of
// an operand that from says, or poison; operands may be vectors or elements.
func permute(c *exec.Compiler, op *ir.Op, r int, from func(i int64) (operand int, at int64)) exec.Step {
	t := op.Result(r).Type()
	type source struct {
		operand int
		at      int64
	}
	// There may be more than a machine can hold, of what is never executed.
	sources := sync.OnceValue(func() []source {
		n, _ := ir.NumElements(vec(t).Shape)
		list := make([]source, n)
		for i := range n {
			k, at := from(i)
			list[i] = source{k, at}
		}
		return list
	})
	regs, d := c.Regs(op.Operands().Values()), c.Object(op.Result(r))
	return func(f *exec.Frame) error {
		if err := chargeElements(f, op, r); err != nil {
			return err
		}
		out := newVector(t)
		for i, s := range sources() {
			v := f.Get(regs[s.operand])
			if x, ok := v.(*exec.Tensor); ok {
				if s.at == poisonPosition {
					continue
				}
				if s.at < 0 || s.at >= x.Elements() {
					return exec.Findf(exec.OutOfBounds, op, "element %d of a vector of %d elements is read", s.at, x.Elements())
				}
				v = x.At(s.at)
			}
			out.SetAt(int64(i), v)
		}
		f.O[d] = out
		return nil
	}
}

// pick is permute in terms of indices, where an element at no indices, of a vector that has some, is poison.
func pick(from func(op *ir.Op, idx []int64) (operand int, at []int64)) exec.Model {
	return func(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
		sizes := vec(op.Result(0).Type()).Shape
		sources := sync.OnceValues(func() (list []int, at []int64) {
			// The function never fails.
			_ = exec.Each(sizes, func(_ int64, idx []int64) error {
				k, p := from(op, idx)
				list = append(list, k)
				if shape := vec(op.Operand(k).Type()).Shape; len(p) == len(shape) {
					at = append(at, offset(shape, p))
				} else {
					at = append(at, poisonPosition)
				}
				return nil
			})
			return list, at
		})
		return permute(c, op, 0, func(i int64) (int, int64) {
			list, at := sources()
			return list[i], at[i]
		}), nil
	}
}

func executeBroadcast(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	src, dst := vec(BroadcastOp{op}.Source().Type()), vec(op.Result(0).Type())
	if src == nil {
		return permute(c, op, 0, func(int64) (int, int64) { return 0, 0 }), nil
	}
	lead := len(dst.Shape) - len(src.Shape)
	return pick(func(_ *ir.Op, idx []int64) (int, []int64) {
		from := append([]int64(nil), idx[lead:]...)
		for i, n := range src.Shape {
			if n == 1 {
				from[i] = 0
			}
		}
		return 0, from
	})(c, op)
}

func executeFromElements(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	return permute(c, op, 0, func(i int64) (int, int64) { return int(i), 0 }), nil
}

func executeToElements(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	src, elements := c.Object(ToElementsOp{op}.Source()), c.Regs(op.Results().Values())
	return func(f *exec.Frame) error {
		v := f.O[src].(*exec.Tensor)
		for i, r := range elements {
			f.Set(r, v.At(int64(i)))
		}
		return f.M.Charge(op, int64(len(elements)))
	}, nil
}

func executeFlatTranspose(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	rows, columns := op.Attr("rows").(*ir.IntegerAttr).Value, op.Attr("columns").(*ir.IntegerAttr).Value
	// Matrices are column by column.
	return permute(c, op, 0, func(i int64) (int, int64) { return 0, i/columns + i%columns*rows }), nil
}

func executeDeinterleave(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	even := permute(c, op, 0, func(i int64) (int, int64) { return 0, 2 * i })
	odd := permute(c, op, 1, func(i int64) (int, int64) { return 0, 2*i + 1 })
	return exec.Sequence(even, odd), nil
}

func executeInsertSlice(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	offsets, strides := intsOf(op.Attr("offsets")), intsOf(op.Attr("strides"))
	src, d, take := c.Object(InsertStridedSliceOp{op}.Source()), c.Object(op.Result(0)), c.Take(op.OperandUse(1))
	return func(f *exec.Frame) error {
		s, t := f.O[src].(*exec.Tensor), take(f)
		lead := len(t.Sizes) - len(s.Sizes)
		f.O[d] = t
		return exec.Each(s.Sizes, func(i int64, idx []int64) error {
			at := append([]int64(nil), offsets...)
			for k, x := range idx {
				at[lead+k] += x * strides[k]
			}
			p, err := t.Index(op, at)
			if err == nil {
				t.SetAt(p, s.At(i))
			}
			return err
		})
	}, nil
}

func executeScalableInsert(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	pos := op.Attr("pos").(*ir.IntegerAttr).Value
	src, d, take := c.Object(ScalableInsertOp{op}.Source()), c.Object(op.Result(0)), c.Take(op.OperandUse(1))
	return func(f *exec.Frame) error {
		s, t := f.O[src].(*exec.Tensor), take(f)
		f.O[d] = t
		for i := range s.Elements() {
			p, err := t.Index(op, []int64{pos + i})
			if err != nil {
				return err
			}
			t.SetAt(p, s.At(i))
		}
		return nil
	}, nil
}

// positionOf compiles the indices of an extraction or insertion; vector is the
// number of the operand before them.
func positionOf(c *exec.Compiler, op *ir.Op, vector int) func(f *exec.Frame) []int64 {
	if op.Def().AttrIndex(staticPosition) >= 0 {
		return c.Sizes(interfaces.MixedList(op, vector+1, staticPosition))
	}
	words := c.Words(op.Operands()[vector+1:])
	signed := 64
	if len(words) > 0 {
		signed = exec.Width(op.Operand(vector + 1).Type())
	}
	return func(f *exec.Frame) []int64 {
		out := make([]int64, len(words))
		for i, w := range words {
			out[i] = int64(exec.Mask(f.W[w], signed))
		}
		return out
	}
}

// part returns where the part of a vector starts that the first indices choose,
// and its number of elements.
func part(op *ir.Op, t *exec.Tensor, idx []int64) (start, n int64, err error) {
	n = 1
	for _, s := range t.Sizes[len(idx):] {
		n *= s
	}
	full := append(append([]int64(nil), idx...), make([]int64, len(t.Sizes)-len(idx))...)
	start, err = t.Index(op, full)
	return start, n, err
}

// executePoison makes the result poison.
func executePoison(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	t := op.Result(0).Type()
	if vec(t) != nil {
		c.Constant(op.Result(0), newVector(t).Share())
		return nil, nil
	}
	r := c.Reg(op.Result(0))
	return func(f *exec.Frame) error {
		f.SetPoison(r)
		return nil
	}, nil
}

func executeExtract(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	if atPoison(op) {
		return executePoison(c, op)
	}
	src, res, at := c.Object(ExtractOp{op}.Vector()), c.Reg(op.Result(0)), positionOf(c, op, 0)
	rt := op.Result(0).Type()
	return func(f *exec.Frame) error {
		t := f.O[src].(*exec.Tensor)
		start, n, err := part(op, t, at(f))
		if err != nil {
			return err
		}
		if vec(rt) == nil {
			f.Set(res, t.At(start))
			return nil
		}
		out := newVector(rt)
		for i := range n {
			out.SetAt(i, t.At(start+i))
		}
		f.Set(res, out)
		return nil
	}, nil
}

func executeInsert(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	if atPoison(op) {
		return executePoison(c, op)
	}
	if insertsTensor(op) {
		return nil, exec.Unsupported(op, "a tensor is no part of a vector")
	}
	if !(InsertOp{op}).Fills() {
		return nil, exec.Unsupported(op, "the source isn't as large as what it takes the place of")
	}
	src, d, take, at := c.Reg(InsertOp{op}.Source()), c.Object(op.Result(0)), c.Take(op.OperandUse(1)), positionOf(c, op, 1)
	return func(f *exec.Frame) error {
		t := take(f)
		start, n, err := part(op, t, at(f))
		if err != nil {
			return err
		}
		v := f.Get(src)
		if s, ok := v.(*exec.Tensor); ok {
			for i := range n {
				t.SetAt(start+i, s.At(i))
			}
		} else {
			t.SetAt(start, v)
		}
		f.O[d] = t
		return nil
	}, nil
}

// executeBitcast joins the bits of the elements in the last dimension, of which
// the first has the lowest ones, and splits them again.
func executeBitcast(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	src, d := c.Object(BitCastOp{op}.Source()), c.Object(op.Result(0))
	from, to := vec(BitCastOp{op}.Source().Type()), vec(op.Result(0).Type())
	row, rowOut := int64(1), int64(1)
	if r := len(from.Shape); r > 0 {
		row, rowOut = from.Shape[r-1], to.Shape[r-1]
	}
	w, wOut := uint(exec.Width(from.Elem)), uint(exec.Width(to.Elem))
	limit := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), wOut), big.NewInt(1))
	known := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), w), big.NewInt(1))
	return func(f *exec.Frame) error {
		s, out := f.O[src].(*exec.Tensor), newVector(to)
		for r := int64(0); r*row < s.Elements(); r++ {
			all, missing := new(big.Int), new(big.Int)
			for i := range row {
				v := s.At(r*row + i)
				if v == exec.PoisonValue {
					missing.Or(missing, new(big.Int).Lsh(known, uint(i)*w))
					continue
				}
				all.Or(all, new(big.Int).Lsh(exec.BitsOf(from.Elem, v), uint(i)*w))
			}
			for i := range rowOut {
				if new(big.Int).And(new(big.Int).Rsh(missing, uint(i)*wOut), limit).Sign() != 0 {
					continue
				}
				bits := new(big.Int).Rsh(all, uint(i)*wOut)
				out.SetAt(r*rowOut+i, exec.FromBits(to.Elem, bits.And(bits, limit)))
			}
		}
		f.O[d] = out
		return nil
	}, nil
}

// mask returns a mask that is set below the bounds.
func mask(op *ir.Op, bounds []int64) *exec.Tensor {
	t := newVector(op.Result(0).Type())
	// The function never fails.
	_ = exec.Each(t.Sizes, func(i int64, idx []int64) error {
		set := uint64(1)
		for k, x := range idx {
			if x >= bounds[k] {
				set = 0
			}
		}
		if len(idx) == 0 && len(bounds) == 1 && bounds[0] <= 0 {
			set = 0
		}
		t.SetAt(i, set)
		return nil
	})
	return t
}
