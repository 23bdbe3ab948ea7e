package affine

import (
	"fmt"
	"math"
	"slices"

	"freehold/dialect/memref"
	"freehold/exec"
	"freehold/ir"
)

// executeApply is how affine.apply executes.
func executeApply(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	regs, step := c.Affine(op, MapOf(op), op.Operands())
	c.Alias(op.Result(0), exec.Reg(regs[0]))
	if step == nil && slices.ContainsFunc(op.Operands().Values(), c.MayBePoison) {
		step = exec.Nop // so that the operand is looked at
	}
	return step, nil
}

// executeMin is how affine.min executes.
func executeMin(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	return extreme(c, op, MapOf(op), op.Operands(), c.Word(op.Result(0)), least), nil
}

// executeMax is how affine.max executes.
func executeMax(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	return extreme(c, op, MapOf(op), op.Operands(), c.Word(op.Result(0)), greatest), nil
}

// executeLoad is how affine.load executes.
func executeLoad(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	o := AccessOp{op}
	idx, step := c.Affine(op, o.Map(), o.MapOperands())
	return exec.Sequence(step, c.Load(op, o.MemRef(), op.Result(0), idx)), nil
}

// executeStore is how affine.store executes.
func executeStore(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	o := AccessOp{op}
	idx, step := c.Affine(op, o.Map(), o.MapOperands())
	return exec.Sequence(step, c.Store(op, o.Value(), o.MemRef(), idx)), nil
}

// executeDMA is how affine.dma_start executes.
func executeDMA(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	sides, steps, rest, err := transferSides(c, op, SrcMapAttr, DstMapAttr, TagMapAttr)
	if err != nil {
		return nil, err
	}
	return exec.Sequence(append(steps, c.Transfer(op, sides[0], sides[1], sides[2], rest.Values()))...), nil
}

// executeDMAWait is how affine.dma_wait executes.
func executeDMAWait(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	sides, steps, _, err := transferSides(c, op, TagMapAttr)
	if err != nil {
		return nil, err
	}
	return exec.Sequence(append(steps, c.Wait(op, sides[0]))...), nil
}

// transferSides compiles the indices of the buffers of a transfer, whose maps are in the attributes.
func transferSides(c *exec.Compiler, op *ir.Op, attrs ...string) (out []exec.TransferSide, steps []exec.Step, rest ir.Operands, err error) {
	sides, rest, ok := DmaSides(op, attrs...)
	if !ok {
		return nil, nil, nil, exec.Unsupported(op, "its operands don't fit its maps")
	}
	for _, s := range sides {
		if shape, _ := ir.ShapeOf(s.MemRef.Type()); len(shape) != len(s.Map.Results) {
			return nil, nil, nil, exec.Unsupported(op, fmt.Sprintf("a buffer of %d dimensions has %d indices", len(shape), len(s.Map.Results)))
		}
		idx, step := c.Affine(op, s.Map, s.Operands)
		steps = append(steps, step)
		out = append(out, exec.TransferSide{Ref: s.MemRef, Index: idx})
	}
	return out, steps, rest, nil
}

func least(a, b int64) int64    { return min(a, b) }
func greatest(a, b int64) int64 { return max(a, b) }

// extreme compiles the least or greatest result of a map.
func extreme(c *exec.Compiler, op *ir.Op, m *ir.AffineMap, operands ir.Operands, res int, pick func(a, b int64) int64) exec.Step {
	regs, step := c.Affine(op, m, operands)
	if len(regs) == 0 {
		return func(*exec.Frame) error {
			return exec.Findf(exec.Undefined, op, "a map without results has no least or greatest one")
		}
	}
	return exec.Sequence(step, func(f *exec.Frame) error {
		v := int64(f.W[regs[0]])
		for _, r := range regs[1:] {
			v = pick(v, int64(f.W[r]))
		}
		f.W[res] = uint64(v)
		return nil
	})
}

// executeVector copies between a vector and the elements of a buffer that start at
// an index, in its last dimensions.
func executeVector(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	o := AccessOp{op}
	store := op.NumResults() == 0
	v := o.Value()
	if !store {
		v = op.Result(0)
	}
	shape, _ := ir.ShapeOf(v.Type())
	e := exec.ElemOf(ir.ElementType(v.Type()))
	idx, step := c.Affine(op, o.Map(), o.MapOperands())
	m, reg := c.Object(o.MemRef()), c.Object(v)
	return exec.Sequence(step, func(f *exec.Frame) error {
		buf := f.O[m].(*exec.MemRef)
		check := buf.Access
		if store {
			check = buf.Writable
		}
		if err := check(op); err != nil {
			return err
		}
		first := make([]int64, len(idx))
		for i, w := range idx {
			first[i] = int64(f.W[w])
		}
		part := buf.View().From(first, shape)
		if store {
			return exec.CopyView(op, part, f.O[reg].(*exec.Tensor).View())
		}
		t := exec.NewTensor(e, shape, false)
		f.O[reg] = t
		return exec.CopyView(op, t.View(), part)
	}), nil
}

func executeFor(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	o := ForOp{op}
	iv, lo, hi := c.Word(o.InductionVar()), c.NewWord().Word(), c.NewWord().Word()
	lower := extreme(c, op, o.LowerMap(), o.LowerOperands(), lo, greatest)
	upper := extreme(c, op, o.UpperMap(), o.UpperOperands(), hi, least)
	args := c.Regs(o.IterArgs())
	enter := exec.Sequence(lower, upper, c.MoveTo(o.Inits(), o.IterArgs()))
	body, err := c.Region(op.RegionAt(0), args)
	if err != nil {
		return nil, err
	}
	leave := c.MoveRegs(args, c.Regs(op.Results().Values()))
	step := o.Step()
	return func(f *exec.Frame) error {
		if err := enter(f); err != nil {
			return err
		}
		i := int64(f.W[lo])
		n, err := exec.Trips(op, i, int64(f.W[hi]), step, 64)
		if err != nil {
			return err
		}
		for ; n > 0; n-- {
			f.W[iv] = uint64(i)
			if err := body.Run(f); err != nil {
				return err
			}
			i += step
		}
		return leave(f)
	}, nil
}

func executeIf(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	set := IfOp{op}.Set()
	words := c.Words(op.Operands())
	var holds []func(f *exec.Frame) (bool, bool)
	for i, e := range set.Constraints {
		value, equal := exec.AffineFunc(e, words, set.Dims), set.Eq[i]
		holds = append(holds, func(f *exec.Frame) (bool, bool) {
			v, ok := value(f)
			return v == 0 || !equal && v > 0, ok
		})
	}
	results := c.Regs(op.Results().Values())
	then, err := c.Region(op.RegionAt(0), results)
	if err != nil {
		return nil, err
	}
	var otherwise *exec.Code
	if !op.RegionAt(1).Empty() {
		if otherwise, err = c.Region(op.RegionAt(1), results); err != nil {
			return nil, err
		}
	}
	return func(f *exec.Frame) error {
		for _, h := range holds {
			yes, ok := h(f)
			if !ok {
				return exec.Findf(exec.DivisionByZero, op, "an affine expression divides by a number below 1")
			}
			if yes {
				continue
			}
			if otherwise != nil {
				return otherwise.Run(f)
			}
			return nil
		}
		return then.Run(f)
	}, nil
}

// reduction is one result of an affine.parallel.
type reduction struct {
	value, res int
	combine    func(v, old uint64) uint64
	neutral    uint64
}

func executeParallel(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	o := ParallelOp{op}
	lowerRegs, lower := c.Affine(op, o.LowerMap(), o.LowerOperands())
	upperRegs, upper := c.Affine(op, o.UpperMap(), o.UpperOperands())
	bounds := exec.Sequence(lower, upper)
	ivs := make([]int, len(o.Body().Args()))
	for i, a := range o.Body().Args() {
		ivs[i] = c.Word(a)
	}
	var reductions []reduction
	var yields []exec.Reg
	assigns := false // which result a loop of several iterations assigns is undefined
	for i, kind := range o.Reductions() {
		t := op.Result(i).Type()
		combine, ok := memref.CombineWords(kind, t)
		if !ok || !exec.IsWord(t) {
			return nil, exec.Unsupported(op, "a reduction is not supported for its type")
		}
		assigns = assigns || kind == "assign"
		y := c.NewWord()
		yields = append(yields, y)
		reductions = append(reductions, reduction{y.Word(), c.Word(op.Result(i)), combine, neutral(kind, t)})
	}
	body, err := c.Region(op.RegionAt(0), yields)
	if err != nil {
		return nil, err
	}
	steps, lowerGroups, upperGroups := o.Steps(), o.LowerGroups(), o.UpperGroups()
	return func(f *exec.Frame) error {
		if err := bounds(f); err != nil {
			return err
		}
		trips, first := make([]int64, len(steps)), make([]int64, len(steps))
		l, u := 0, 0
		for d, step := range steps {
			lo, hi := int64(math.MinInt64), int64(math.MaxInt64)
			for range lowerGroups[d] {
				lo = max(lo, int64(f.W[lowerRegs[l]]))
				l++
			}
			for range upperGroups[d] {
				hi = min(hi, int64(f.W[upperRegs[u]]))
				u++
			}
			n, err := exec.Trips(op, lo, hi, step, 64)
			if err != nil {
				return err
			}
			first[d], trips[d] = lo, n
			if n == 0 {
				break // never comes to the dimensions after it
			}
		}
		total := int64(1)
		for _, n := range trips {
			total *= min(n, 2)
		}
		if assigns && total != 1 {
			return exec.Findf(exec.Undefined, op, "a value is assigned by other than one iteration")
		}
		for _, r := range reductions {
			f.W[r.res] = r.neutral
		}
		return exec.Each(trips, func(_ int64, idx []int64) error {
			for d, iv := range ivs {
				f.W[iv] = uint64(first[d] + idx[d]*steps[d])
			}
			if err := body.Run(f); err != nil {
				return err
			}
			for _, r := range reductions {
				f.W[r.res] = r.combine(f.W[r.value], f.W[r.res])
			}
			return nil
		})
	}, nil
}

// neutral returns the word that a reduction starts with: for sums it is 0.0, though
// -0.0 would change nothing.
func neutral(kind string, t ir.Type) uint64 {
	ft, _ := t.(*ir.FloatType)
	float := func(x float64) uint64 {
		if ft == nil {
			return 0
		}
		return exec.FloatWord(ft, x)
	}
	w := exec.Width(t)
	switch kind {
	case "mulf":
		return float(1)
	case "maximumf", "maxnumf":
		return float(math.Inf(-1))
	case "minimumf", "minnumf":
		return float(math.Inf(1))
	case "muli":
		return 1
	case "andi", "minu":
		return exec.Mask(^uint64(0), w)
	case "maxs":
		return uint64(1) << (w - 1)
	case "mins":
		return uint64(1)<<(w-1) - 1
	}
	return 0
}

func executeDelinearize(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	o := DelinearizeIndexOp{op}
	index, sizes, bounded := c.Word(o.LinearIndex()), c.Sizes(o.Basis()), len(o.Basis()) == op.NumResults()
	results := make([]int, op.NumResults())
	for i := range results {
		results[i] = c.Word(op.Result(i))
	}
	return func(f *exec.Frame) error {
		rest, basis := int64(f.W[index]), sizes(f)
		if !bounded {
			basis = append([]int64{1}, basis...)
		}
		for i, n := range slices.Backward(basis) {
			if n < 1 {
				return exec.Findf(exec.DivisionByZero, op, "the basis has the element %d", n)
			}
			if i == 0 {
				f.W[results[0]] = uint64(rest)
				return nil
			}
			q, r := rest/n, rest%n
			if r < 0 {
				q, r = q-1, r+n
			}
			f.W[results[i]] = uint64(r)
			rest = q
		}
		return nil
	}, nil
}
